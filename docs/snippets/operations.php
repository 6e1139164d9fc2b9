<?php
// The five operations and the look-up from PHP 8, without any extension:
//     php operations.php ADDRESS CLIENT KEY SECRET [SECONDS [WAIT]]
// At a platform ADDRESS ends in /v2. At the shop's own server, http://127.0.0.1:9999, nothing else changes:
// it reads neither CLIENT nor KEY. Prints each receipt's number.
// SECONDS: when to give up (60). WAIT: how long to wait for an answer (25; one comes within 20).
// Ends with 0: all issued, 1: refused, nothing was signed, 2: not known yet, or nobody is there.
declare(strict_types=1);

[, $address, $client, $name, $secret] = $argv;
$receipts = "$address/fiscalization/receipts";
$until = microtime(true) + (float) ($argv[5] ?? 60);
$wait = (float) ($argv[6] ?? 25);

/** Status (0: no answer came) and body. */
function ask(string $method, string $url, string $key = '', ?array $body = null): array
{
    global $client, $name, $secret, $wait;
    $stream = @fopen($url, 'r', false, stream_context_create(['http' => [
        'method' => $method,
        'header' => [
            'Authorization: Basic ' . base64_encode("$name:$secret"),
            ...($body === null ? [] : ['Content-Type: application/json', "Idempotency-Key: $key"]),
        ],
        'content' => $body === null ? '' : json_encode(['clientId' => $client] + $body),
        'timeout' => $wait,
        'ignore_errors' => true,    // the body of a refusal says what to do
        'follow_location' => 0,
    ]]));
    if ($stream === false) {
        return [0, []];
    }
    $text = stream_get_contents($stream);
    $status = (int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1];
    $answer = json_decode((string) $text, true);
    return is_array($answer) ? [$status, $answer] : [0, []];    // cut off: not known
}

function stop(int $status, string $words): never
{
    fwrite(STDERR, "$words\n");
    exit($status);
}

/** The receipts of one operation, an array of one or two. */
function issue(string $path, array $body, ?string $key = null): array
{
    global $receipts, $client, $until;
    $key ??= bin2hex(random_bytes(16));
    $told = 'no answer';
    while (microtime(true) < $until) {
        [$status, $answer] = ask('POST', $receipts . $path, $key, $body);
        if ($status >= 400) {
            $told = "{$answer['code']} {$answer['class']}: {$answer['message']}";
        }
        if ($status >= 400 && $status < 500 && $answer['class'] !== 'wait') {
            stop(1, $told);
        }
        while (($status === 0 || $status >= 500 || $status === 202) && microtime(true) < $until) {
            usleep(500_000);
            [$status, $answer] = ask('GET', "$receipts/key:$key?clientId=$client");
            if ($status === 200) {
                fwrite(STDERR, "looked up\n");
            }
        }
        if ($status === 200) {
            return array_is_list($answer) ? $answer : [$answer];
        }
        usleep(500_000);
    }
    stop(2, $told);
}

function show(string $operation, array $issued): string
{
    foreach ($issued as $one) {
        echo "$operation {$one['invoiceNumber']}\n";
    }
    return end($issued)['invoiceNumber'];
}

$item = ['sku' => 1, 'quantity' => 2, 'unitPrice' => 58.99];    // numbers, never strings
$delivery = ['receiptDelivery' => ['pdf' => false]];

$key = bin2hex(random_bytes(16));
$sale = ['invoiceType' => 'normal', 'transactionType' => 'sale', 'payments' => ['cash' => 200], 'items' => [$item]];
$sold = show('sale', issue('', $sale + $delivery, $key));
if (show('again', issue('', $sale + $delivery, $key)) !== $sold) {
    stop(1, 'another receipt for the same key');
}
show('copy', issue("/$sold/copy", $delivery));
show('refund', issue("/$sold/refund", ['payments' => ['cash' => 117.98], 'buyerId' => '10:100000049'] + $delivery));

$first = ['invoiceType' => 'advance', 'payments' => ['wiretransfer' => 50]] + $sale;
$paid = show('advance', issue('', $first + $delivery));
$more = show('payment', issue("/$paid/advance", ['payments' => ['card' => 20]] + $delivery));
show('close', issue("/$more/close", ['payments' => ['cash' => 47.98]] + $delivery));
