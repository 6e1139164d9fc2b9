// A sale, its look-up, its refund, an advance with two tax labels and the list of the newest
// receipts, by a client that is generated from the document of the shop's server.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json http://127.0.0.1:9999/openapi.json
//     openapi-generator-cli generate -i openapi.json -o client -g typescript-fetch
//
// Arguments: a key of at most 50 characters, and amounts, each of which is sold and paid exactly.
import {
  ArticleTaxRateLabelEnum as Label, DefaultApi, Item, IssueRequestInvoiceTypeEnum as Kind,
  IssueRequestTransactionTypeEnum as Direction, ListReceiptsInvoiceTypeEnum as Listed,
  ReceiptFromJSON,
} from "./client";

declare const process: { argv: string[] };

const key = process.argv[2]!;
const api = new DefaultApi();
const receiptDelivery = { pdf: false };

function line(name: string, taxRateLabel: Label, unitPrice: number): Item {
  return { quantity: 2, unitPrice, article: { name, taxRateLabel } };
}

async function run(): Promise<void> {
  const receipt = await api.issue({
    idempotencyKey: `${key}-sale`,
    issueRequest: {
      invoiceType: Kind.NORMAL, transactionType: Direction.SALE, payments: { cash: 200 },
      items: [line("Сто", Label.DJ, 58.99)], receiptDelivery,
    },
  });
  console.log("sale", receipt.invoiceNumber, receipt.totalAmount);
  const found = ReceiptFromJSON(await api.lookUp({ id: `key:${key}-sale` }));
  console.log("found", found.invoiceNumber, found.totalAmount);
  const refunded = await api.refund({
    id: receipt.invoiceNumber,
    idempotencyKey: `${key}-refund`,
    refundRequest: { buyerId: "10:123456788", payments: { cash: 117.98 }, receiptDelivery },
  });
  console.log("refund", ...refunded.map((one) => one.invoiceNumber));
  const advance = await api.issue({
    idempotencyKey: `${key}-advance`,
    issueRequest: {
      invoiceType: Kind.ADVANCE, transactionType: Direction.SALE, unknownAmountAdvance: true,
      payments: { cash: 3000 },
      advanceSpecification: { [Label.DJ]: 2000, [Label.E]: 1000 },
      items: [line("Сто", Label.DJ, 0), line("Хлеб", Label.E, 0)], receiptDelivery,
    },
  });
  console.log("advance", advance.invoiceNumber);
  const listed = await api.listReceipts({ invoiceType: [Listed.NORMAL, Listed.ADVANCE], limit: 2 });
  console.log("listed", ...listed.receipts.map((one) => one.invoiceNumber));
  for (const amount of process.argv.slice(3)) {
    const exact = await api.issue({
      idempotencyKey: `${key}-${amount}`,
      issueRequest: {
        invoiceType: Kind.NORMAL, transactionType: Direction.SALE,
        payments: { cash: Number(amount) },
        items: [{ ...line("Сто", Label.DJ, Number(amount)), quantity: 1 }], receiptDelivery,
      },
    });
    console.log("exact", exact.invoiceNumber, exact.totalAmount);
  }
}

void run();
