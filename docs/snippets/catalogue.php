<?php
// A product with its picture on a platform, from PHP 8, without any extension:
//     php catalogue.php ADDRESS KEY SECRET PICTURE
// ADDRESS ends in /v2. Prints the product's article code and the address of its small picture.
declare(strict_types=1);

[, $address, $key, $secret, $picture] = $argv;

/** What the platform answers; a refusal is an exception with its words. */
function ask(string $method, string $path, mixed $body = null, string $type = 'application/json'): mixed
{
    global $address, $key, $secret;
    $content = is_array($body) ? json_encode($body) : (string) $body;
    $stream = @fopen($address . $path, 'r', false, stream_context_create(['http' => [
        'method' => $method,
        'header' => [
            'Authorization: Basic ' . base64_encode("$key:$secret"),
            ...($body === null ? [] : ["Content-Type: $type"]),
        ],
        'content' => $content,
        'timeout' => 30,
        'ignore_errors' => true,    // the body of a refusal says what to do
        'follow_location' => 0,
    ]]));
    if ($stream === false) {
        throw new RuntimeException('no answer');
    }
    $told = json_decode((string) stream_get_contents($stream), true);
    $status = (int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1];
    if ($status >= 400) {
        throw new RuntimeException("$status {$told['code']} {$told['message']}");
    }
    return $told;
}

function check(bool $is_so, string $what): void
{
    if (!$is_so) {
        throw new RuntimeException($what);
    }
}

$store = ask('POST', '/stores', ['name' => 'Продавница', 'city' => 'Београд']);
ask('PATCH', "/stores/{$store['id']}", ['phone' => '+381 11 123']);
$phones = array_column(ask('GET', '/stores'), 'phone', 'id');
check($phones[$store['id']] === '+381 11 123', 'store');

// A picture is sent with its own type: JPEG, PNG, WebP …
$ending = strtolower(pathinfo($picture, PATHINFO_EXTENSION));
$type = 'image/' . ($ending === 'jpg' ? 'jpeg' : $ending);
$upload = '/files?filename=' . rawurlencode(basename($picture));
$file = ask('POST', $upload, file_get_contents($picture), $type);
$product = ask('POST', '/products', [
    'name' => 'Хлеб',
    'taxRateLabel' => 'Е',
    'productType' => 'product',
    'price' => 58.99,               // a number, never a string
    'images' => [$file['id']],
]);
ask('PATCH', "/products/{$product['id']}", ['price' => 61.5]);
$products = array_column(ask('GET', '/products'), null, 'id');
$found = $products[$product['id']];
check($found['price'] === 61.5, 'price');

$small = $found['coverImage']['urls']['128x128'];   // no key: whoever has the address
check(str_starts_with(file_get_contents($small), "\xFF\xD8"), 'picture');

try {
    ask('POST', '/products', ['name' => 'Кифла', 'taxRateLabel' => 'Е', 'sku' => '7']);
    check(false, 'a text was taken for a number');
} catch (RuntimeException $error) {
    check(str_contains($error->getMessage(), '"sku" must be a number'), $error->getMessage());
}

echo "{$found['sku']}\n$small\n";
ask('DELETE', "/products/{$product['id']}");
ask('DELETE', "/stores/{$store['id']}");
