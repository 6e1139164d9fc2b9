<?php
// A first receipt from PHP 8, without any extension:
//     php first_receipt.php [address [key [seconds]]]
// Ends with 0: issued, 1: refused, 2: not known yet, come back with the key. Refused is not signed; but if the key
// stands for another body, that one may be signed: look it up, and take no new key for the same sale.
declare(strict_types=1);

$address = $argv[1] ?? 'http://127.0.0.1:9999';
// Of your own, new for each sale, and kept with the sale BEFORE it is sent.
$key = $argv[2] ?? bin2hex(random_bytes(16));
$until = microtime(true) + (float) ($argv[3] ?? 60);

$sale = [
    'invoiceType' => 'normal',
    'transactionType' => 'sale',
    'payments' => ['cash' => 200],
    'items' => [['sku' => 1, 'quantity' => 2, 'unitPrice' => 58.99]],  // numbers, never strings
    'receiptDelivery' => ['pdf' => true],
];

/** Status (0: no answer came) and body. */
function ask(string $method, string $url, ?array $body = null, array $headers = []): array
{
    $stream = @fopen($url, 'r', false, stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Content-Type: application/json', ...$headers],
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => 25,            // the server answers within 20 s
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

function done(array $receipt): never
{
    echo "{$receipt['invoiceNumber']}\n{$receipt['pdf']}\n";
    exit(0);
}

do {
    [$status, $answer] = ask(
        'POST', "$address/fiscalization/receipts", $sale, ["Idempotency-Key: $key"]
    );
    if ($status === 200) {
        done($answer);
    }
    if ($status >= 400 && $status < 500 && ($answer['class'] ?? '') !== 'wait') {
        fwrite(STDERR, "{$answer['class']}: {$answer['message']}\n");   // fix, or cure
        exit(1);
    }
    // No answer, or 5xx: it may be signed. Look it up until that is known.
    while (($status === 0 || $status >= 500 || $status === 202) && microtime(true) < $until) {
        sleep(1);
        [$status, $answer] = ask('GET', "$address/fiscalization/receipts/key:$key");
        if ($status === 200) {
            done($answer);
        }
    }
    sleep(1);   // surely not signed (wait, or 404): the same key again
} while (microtime(true) < $until);

fwrite(STDERR, "not known yet: $key\n");
exit(2);
