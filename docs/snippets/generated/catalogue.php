<?php
// A store, a product that is changed, its picture and a relayed sale, by a client that is
// generated from the platform's document.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json https://platform.example/openapi.json
//     openapi-generator-cli generate -i openapi.json -o . -g php --additional-properties \
//       invokerPackage=Fiscal
//
// Arguments: key, secret, clientId, a key of at most 50 characters, a JPEG.
require __DIR__ . '/load.php';

use Fiscal\Api\{FilesApi, ProductsApi, ReceiptsApi, StoresApi};
use Fiscal\Configuration;
use Fiscal\Model\{Article, IssueRequest, Item, Payments, ProductChange, ProductInput, Receipt, ReceiptDelivery, StoreInput};
use Fiscal\ObjectSerializer;

[, $user, $secret, $clientId, $key, $picture] = $argv;
$settings = Configuration::getDefaultConfiguration()->setUsername($user)->setPassword($secret);
$stores = new StoresApi(null, $settings);
$products = new ProductsApi(null, $settings);
$receipts = new ReceiptsApi(null, $settings);

function only(array $all, string $id): object
{
    return current(array_filter($all, fn ($one) => $one->getId() === $id));
}

$store = $stores->addStore(new StoreInput(['name' => $key, 'payment_methods_order' => [['cash', 'card']]]));
echo 'store ', only($stores->listStores(), $store->getId())->getName() === $key ? 'True' : 'False', "\n";
$file = (new FilesApi(null, $settings))->addFile(new SplFileObject($picture));
echo 'picture ', $file->getMimetypeFilename(), "\n";
$product = $products->addProduct(new ProductInput([
    'name' => 'Хлеб',
    'tax_rate_label' => ProductInput::TAX_RATE_LABEL_E,
    'price' => 58.99,
    'description' => 'Бели',
    'images' => [$file->getId()],
]));
$products->updateProduct($product->getId(), null, new ProductChange(['price' => 60.5]));
$product = only($products->listProducts(), $product->getId());
echo 'product ', $product->getTaxRateLabel(), ' ', $product->getPrice(), ' ', $product->getDescription(),
    ' ', count($product->getImages()), "\n";
$receipt = $receipts->issue(new IssueRequest([
    'client_id' => $clientId,
    'invoice_type' => IssueRequest::INVOICE_TYPE_NORMAL,
    'transaction_type' => IssueRequest::TRANSACTION_TYPE_SALE,
    'payments' => new Payments(['cash' => 200]),
    'items' => [new Item([
        'quantity' => 2,
        'unit_price' => 58.99,
        'article' => new Article(['name' => 'Сто', 'tax_rate_label' => Article::TAX_RATE_LABEL_DJ]),
    ])],
    'receipt_delivery' => new ReceiptDelivery(['pdf' => false]),
]), "$key-sale");
echo 'sale ', $receipt->getInvoiceNumber(), ' ', $receipt->getTotalAmount(), "\n";
$found = ObjectSerializer::deserialize($receipts->lookUp("key:$key-sale", $clientId), Receipt::class);
echo 'found ', $found->getInvoiceNumber(), ' ', $found->getTotalAmount(), "\n";
