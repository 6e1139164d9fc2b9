// A store, a product that is changed, its picture and a relayed sale, by a client that is
// generated from the platform's document.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json https://platform.example/openapi.json
//     openapi-generator-cli generate -i openapi.json -o . -g java --library native \
//       --additional-properties \
//       invokerPackage=fiscal,apiPackage=fiscal.api,modelPackage=fiscal.model,openApiNullable=false
//
// Arguments: key, secret, clientId, a key of at most 50 characters, a JPEG.

import fiscal.ApiClient;
import fiscal.api.ProductsApi;
import fiscal.api.ReceiptsApi;
import fiscal.api.StoresApi;
import fiscal.model.Article;
import fiscal.model.IssueRequest;
import fiscal.model.Item;
import fiscal.model.Payments;
import fiscal.model.Picture;
import fiscal.model.Product;
import fiscal.model.ProductChange;
import fiscal.model.ProductInput;
import fiscal.model.Receipt;
import fiscal.model.ReceiptDelivery;
import fiscal.model.Store;
import fiscal.model.StoreInput;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

public class Catalogue {
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        UUID clientId = UUID.fromString(arguments[2]);
        String key = arguments[3];
        String credentials = Base64.getEncoder().encodeToString(
            (arguments[0] + ":" + arguments[1]).getBytes(StandardCharsets.UTF_8));
        ApiClient client = new ApiClient();
        client.setRequestInterceptor(
            request -> request.header("Authorization", "Basic " + credentials));
        StoresApi stores = new StoresApi(client);
        ProductsApi products = new ProductsApi(client);
        ReceiptsApi receipts = new ReceiptsApi(client);

        Store store = stores.addStore(
            new StoreInput().name(key).paymentMethodsOrder(List.of(List.of("cash", "card"))), null);
        boolean isThere = stores.listStores(null, null).stream()
            .anyMatch(one -> one.getId().equals(store.getId()) && one.getName().equals(key));
        out.println("store " + (isThere ? "True" : "False"));
        // The client's addFile does not say of which type the picture is.
        HttpRequest upload = HttpRequest.newBuilder(URI.create(client.getBaseUri() + "/v2/files"))
            .header("Authorization", "Basic " + credentials).header("Content-Type", "image/jpeg")
            .POST(HttpRequest.BodyPublishers.ofFile(Path.of(arguments[4]))).build();
        String answer = client.getHttpClient()
            .send(upload, HttpResponse.BodyHandlers.ofString()).body();
        Picture picture = client.getObjectMapper().readValue(answer, Picture.class);
        out.println("picture " + picture.getMimetypeFilename());
        Product added = products.addProduct(new ProductInput()
            .name("Хлеб").taxRateLabel(ProductInput.TaxRateLabelEnum.E)
            .price(58.99).description("Бели").images(List.of(picture.getId())), null);
        products.updateProduct(
            added.getId().toString(), null, new ProductChange().price(60.5));
        Product product = products.listProducts(null, null).stream()
            .filter(one -> one.getId().equals(added.getId())).findFirst().orElseThrow();
        out.println("product " + product.getTaxRateLabel().getValue() + " " + product.getPrice()
            + " " + product.getDescription() + " " + product.getImages().size());
        IssueRequest sale = new IssueRequest()
            .clientId(clientId)
            .invoiceType(IssueRequest.InvoiceTypeEnum.NORMAL)
            .transactionType(IssueRequest.TransactionTypeEnum.SALE)
            .payments(new Payments().cash(200.0))
            .items(List.of(new Item()
                .quantity(2.0).unitPrice(58.99)
                .article(new Article().name("Сто").taxRateLabel(Article.TaxRateLabelEnum.DJ))))
            .receiptDelivery(new ReceiptDelivery().pdf(false));
        Receipt receipt = receipts.issue(sale, key + "-sale", null, null, null);
        out.println("sale " + receipt.getInvoiceNumber() + " " + receipt.getTotalAmount());
        Receipt found = client.getObjectMapper()
            .convertValue(receipts.lookUp("key:" + key + "-sale", clientId, null), Receipt.class);
        out.println("found " + found.getInvoiceNumber() + " " + found.getTotalAmount());
    }
}
