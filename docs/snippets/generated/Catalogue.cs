// A store, a product that is changed, its picture and a relayed sale, by a client that is
// generated from the platform's document.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json https://platform.example/openapi.json
//     openapi-generator-cli generate -i openapi.json -o . -g csharp --library httpclient \
//       --additional-properties targetFramework=net48,packageName=Fiscal
//
// Arguments: key, secret, clientId, a key of at most 50 characters, a JPEG.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Fiscal.Api;
using Fiscal.Client;
using Fiscal.Model;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

static class Catalogue
{
    static void Main(string[] arguments)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        Console.OutputEncoding = new System.Text.UTF8Encoding(false);
        var clientId = Guid.Parse(arguments[2]);
        var key = arguments[3];
        var settings = new Configuration { Username = arguments[0], Password = arguments[1] };
        var stores = new StoresApi(settings);
        var products = new ProductsApi(settings);
        var receipts = new ReceiptsApi(settings);
        // A change says only what is set: null would take each other value away.
        ((ApiClient)products.Client).SerializerSettings.NullValueHandling = NullValueHandling.Ignore;

        var order = new List<List<object>> { new List<object> { "cash", "card" } };
        var store = stores.AddStore(new StoreInput(name: key) { PaymentMethodsOrder = order });
        Console.WriteLine("store " + (stores.ListStores().Single(one => one.Id == store.Id).Name == key));
        Guid picture;
        using (var content = System.IO.File.OpenRead(arguments[4]))
        {
            var file = new FilesApi(settings).AddFile(new FileParameter("a.jpg", "image/jpeg", content));
            Console.WriteLine("picture " + file.MimetypeFilename);
            picture = file.Id;
        }
        var added = products.AddProduct(new ProductInput(
            name: "Хлеб", taxRateLabel: ProductInput.TaxRateLabelEnum.E) {
                Price = 58.99, Description = "Бели", Images = new List<Guid> { picture } });
        products.UpdateProduct(added.Id.ToString(), productChange: new ProductChange { Price = 60.5 });
        var product = products.ListProducts().Single(one => one.Id == added.Id);
        var label = product.TaxRateLabel == Product.TaxRateLabelEnum.E ? "Е" : "?";
        Console.WriteLine($"product {label} {product.Price} {product.Description} {product.Images.Count}");
        var sale = new IssueRequest(
            clientId: clientId,
            invoiceType: IssueRequest.InvoiceTypeEnum.NORMAL,
            transactionType: IssueRequest.TransactionTypeEnum.SALE,
            payments: new Payments(cash: 200),
            items: new List<Item> { new Item(
                quantity: 2, unitPrice: 58.99, article: new Article("Сто", Article.TaxRateLabelEnum.DJ)) },
            receiptDelivery: new ReceiptDelivery(pdf: false));
        var receipt = receipts.Issue(sale, key + "-sale");
        Console.WriteLine($"sale {receipt.InvoiceNumber} {receipt.TotalAmount}");
        var found = ((JObject)receipts.LookUp("key:" + key + "-sale", clientId)).ToObject<Receipt>();
        Console.WriteLine($"found {found.InvoiceNumber} {found.TotalAmount}");
    }
}
