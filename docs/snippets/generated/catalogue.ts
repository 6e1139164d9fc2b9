// A store, a product that is changed, its picture and a relayed sale, by a client that is
// generated from the platform's document.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json https://platform.example/openapi.json
//     openapi-generator-cli generate -i openapi.json -o client -g typescript-fetch
//
// Arguments: key, secret, clientId, a key of at most 50 characters, a JPEG.
import {
  ArticleTaxRateLabelEnum, Configuration, FilesApi, IssueRequestInvoiceTypeEnum,
  IssueRequestTransactionTypeEnum, ProductInputTaxRateLabelEnum, ProductsApi, ReceiptFromJSON,
  ReceiptsApi, StoresApi,
} from "./client";

declare const process: { argv: string[] };
declare function require(name: "fs"): { readFileSync(path: string): Uint8Array<ArrayBuffer> };

async function run(): Promise<void> {
  const [username, password, clientId, key, picture] = process.argv.slice(2) as
    [string, string, string, string, string];
  const settings = new Configuration({ username, password });
  const stores = new StoresApi(settings);
  const products = new ProductsApi(settings);
  const receipts = new ReceiptsApi(settings);

  const store = await stores.addStore({
    storeInput: { name: key, paymentMethodsOrder: [["cash", "card"]] },
  });
  const stored = (await stores.listStores()).find((one) => one.id === store.id)!;
  console.log("store", stored.name === key ? "True" : "False");
  const bytes = require("fs").readFileSync(picture);
  const file = await new FilesApi(settings).addFile({
    file: new Blob([bytes], { type: "image/jpeg" }),
  });
  console.log("picture", file.mimetypeFilename);
  const added = await products.addProduct({
    productInput: {
      name: "Хлеб", taxRateLabel: ProductInputTaxRateLabelEnum.E, price: 58.99,
      description: "Бели", images: [file.id],
    },
  });
  await products.updateProduct({ id: added.id, productChange: { price: 60.5 } });
  const product = (await products.listProducts()).find((one) => one.id === added.id)!;
  console.log("product", product.taxRateLabel, product.price, product.description, product.images.length);
  const receipt = await receipts.issue({
    idempotencyKey: `${key}-sale`,
    issueRequest: {
      clientId, invoiceType: IssueRequestInvoiceTypeEnum.NORMAL,
      transactionType: IssueRequestTransactionTypeEnum.SALE, payments: { cash: 200 },
      items: [{
        quantity: 2, unitPrice: 58.99,
        article: { name: "Сто", taxRateLabel: ArticleTaxRateLabelEnum.DJ },
      }],
      receiptDelivery: { pdf: false },
    },
  });
  console.log("sale", receipt.invoiceNumber, receipt.totalAmount);
  const found = ReceiptFromJSON(await receipts.lookUp({ id: `key:${key}-sale`, clientId }));
  console.log("found", found.invoiceNumber, found.totalAmount);
}

void run();
