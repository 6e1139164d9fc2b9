<?php
// A sale, its look-up, its refund, an advance with two tax labels and the list of the newest
// receipts, by a client that is generated from the document of the shop's server.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json http://127.0.0.1:9999/openapi.json
//     openapi-generator-cli generate -i openapi.json -o . -g php --additional-properties \
//       invokerPackage=Fiscal
//
// Arguments: a key of at most 50 characters, and amounts, each of which is sold and paid exactly.
require __DIR__ . '/load.php';

use Fiscal\Api\DefaultApi;
use Fiscal\Model\{Article, IssueRequest, Item, Payments, PaymentsOrNone, Receipt, ReceiptDelivery, RefundRequest};
use Fiscal\ObjectSerializer;

$key = $argv[1];
$api = new DefaultApi();
$paper = new ReceiptDelivery(['pdf' => false]);

function line(string $name, string $label, float $price): Item
{
    $article = new Article(['name' => $name, 'tax_rate_label' => $label]);
    return new Item(['quantity' => 2, 'unit_price' => $price, 'article' => $article]);
}

$receipt = $api->issue(new IssueRequest([
    'invoice_type' => IssueRequest::INVOICE_TYPE_NORMAL,
    'transaction_type' => IssueRequest::TRANSACTION_TYPE_SALE,
    'payments' => new Payments(['cash' => 200]),
    'items' => [line('Сто', Article::TAX_RATE_LABEL_DJ, 58.99)],
    'receipt_delivery' => $paper,
]), "$key-sale");
echo 'sale ', $receipt->getInvoiceNumber(), ' ', $receipt->getTotalAmount(), "\n";
$found = ObjectSerializer::deserialize($api->lookUp("key:$key-sale"), Receipt::class);
echo 'found ', $found->getInvoiceNumber(), ' ', $found->getTotalAmount(), "\n";
$refunded = $api->refund($receipt->getInvoiceNumber(), new RefundRequest([
    'buyer_id' => '10:123456788',
    'payments' => new PaymentsOrNone(['cash' => 117.98]),
    'receipt_delivery' => $paper,
]), "$key-refund");
echo 'refund ', implode(' ', array_map(fn ($one) => $one->getInvoiceNumber(), $refunded)), "\n";
$advance = $api->issue(new IssueRequest([
    'invoice_type' => IssueRequest::INVOICE_TYPE_ADVANCE,
    'transaction_type' => IssueRequest::TRANSACTION_TYPE_SALE,
    'unknown_amount_advance' => true,
    'payments' => new Payments(['cash' => 3000]),
    'advance_specification' => [
        Article::TAX_RATE_LABEL_DJ => 2000,
        Article::TAX_RATE_LABEL_E => 1000,
    ],
    'items' => [
        line('Сто', Article::TAX_RATE_LABEL_DJ, 0),
        line('Хлеб', Article::TAX_RATE_LABEL_E, 0),
    ],
    'receipt_delivery' => $paper,
]), "$key-advance");
echo 'advance ', $advance->getInvoiceNumber(), "\n";
$listed = $api->listReceipts(invoice_type: ['normal', 'advance'], limit: 2)->getReceipts();
echo 'listed ', implode(' ', array_map(fn ($one) => $one->getInvoiceNumber(), $listed)), "\n";
foreach (array_slice($argv, 2) as $amount) {
    $exact = $api->issue(new IssueRequest([
        'invoice_type' => IssueRequest::INVOICE_TYPE_NORMAL,
        'transaction_type' => IssueRequest::TRANSACTION_TYPE_SALE,
        'payments' => new Payments(['cash' => (float) $amount]),
        'items' => [line('Сто', Article::TAX_RATE_LABEL_DJ, (float) $amount)->setQuantity(1)],
        'receipt_delivery' => $paper,
    ]), "$key-$amount");
    echo 'exact ', $exact->getInvoiceNumber(), ' ', json_encode($exact->getTotalAmount()), "\n";
}
