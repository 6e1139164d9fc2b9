// A sale, its look-up, its refund, an advance with two tax labels and the list of the newest
// receipts, by a client that is generated from the document of the shop's server.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json http://127.0.0.1:9999/openapi.json
//     openapi-generator-cli generate -i openapi.json -o . -g csharp --library httpclient \
//       --additional-properties targetFramework=net48,packageName=Fiscal
//
// Arguments: a key of at most 50 characters, and amounts, each of which is sold and paid exactly.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Fiscal.Api;
using Fiscal.Model;
using Newtonsoft.Json.Linq;

static class Sale
{
    static readonly ReceiptDelivery Paper = new ReceiptDelivery(pdf: false);

    static Item Line(string name, Article.TaxRateLabelEnum label, double price)
    {
        return new Item(quantity: 2, unitPrice: price, article: new Article(name, label));
    }

    static void Main(string[] arguments)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        var key = arguments[0];
        var api = new DefaultApi();
        var sale = new IssueRequest(
            invoiceType: IssueRequest.InvoiceTypeEnum.NORMAL,
            transactionType: IssueRequest.TransactionTypeEnum.SALE,
            payments: new Payments(cash: 200),
            items: new List<Item> { Line("Сто", Article.TaxRateLabelEnum.DJ, 58.99) },
            receiptDelivery: Paper);
        var receipt = api.Issue(sale, key + "-sale");
        Console.WriteLine($"sale {receipt.InvoiceNumber} {receipt.TotalAmount}");
        var found = ((JObject)api.LookUp("key:" + key + "-sale")).ToObject<Receipt>();
        Console.WriteLine($"found {found.InvoiceNumber} {found.TotalAmount}");
        var back = new RefundRequest(
            buyerId: "10:123456788", payments: new PaymentsOrNone(cash: 117.98), receiptDelivery: Paper);
        var refunded = api.Refund(receipt.InvoiceNumber, back, key + "-refund");
        Console.WriteLine("refund " + string.Join(" ", refunded.Select(one => one.InvoiceNumber)));
        var advance = new IssueRequest(
            invoiceType: IssueRequest.InvoiceTypeEnum.ADVANCE,
            transactionType: IssueRequest.TransactionTypeEnum.SALE,
            unknownAmountAdvance: true,
            payments: new Payments(cash: 3000),
            advanceSpecification: new Dictionary<string, double> { ["Ђ"] = 2000, ["Е"] = 1000 },
            items: new List<Item> {
                Line("Сто", Article.TaxRateLabelEnum.DJ, 0), Line("Хлеб", Article.TaxRateLabelEnum.E, 0) },
            receiptDelivery: Paper);
        Console.WriteLine("advance " + api.Issue(advance, key + "-advance").InvoiceNumber);
        var listed = api.ListReceipts(invoiceType: new List<string> { "normal", "advance" }, limit: 2);
        Console.WriteLine("listed " + string.Join(" ", listed.Receipts.Select(one => one.InvoiceNumber)));
        foreach (var amount in arguments.Skip(1))
        {
            var price = double.Parse(amount);
            var line = Line("Сто", Article.TaxRateLabelEnum.DJ, price);
            line.Quantity = 1;
            sale.Payments = new Payments(cash: price);
            sale.Items = new List<Item> { line };
            var exact = api.Issue(sale, key + "-" + amount);
            Console.WriteLine($"exact {exact.InvoiceNumber} {exact.TotalAmount:R}");
        }
    }
}
