// A sale, its look-up, its refund, an advance with two tax labels and the list of the newest
// receipts, by a client that is generated from the document of the shop's server.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json http://127.0.0.1:9999/openapi.json
//     openapi-generator-cli generate -i openapi.json -o . -g java --library native \
//       --additional-properties \
//       invokerPackage=fiscal,apiPackage=fiscal.api,modelPackage=fiscal.model,openApiNullable=false
//
// Arguments: a key of at most 50 characters, and amounts, each of which is sold and paid exactly.

import fiscal.ApiClient;
import fiscal.api.DefaultApi;
import fiscal.model.Article;
import fiscal.model.IssueRequest;
import fiscal.model.Item;
import fiscal.model.ListedReceipt;
import fiscal.model.Payments;
import fiscal.model.PaymentsOrNone;
import fiscal.model.Receipt;
import fiscal.model.ReceiptDelivery;
import fiscal.model.RefundRequest;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

public class Sale {
    static final ReceiptDelivery PAPER = new ReceiptDelivery().pdf(false);

    static Item line(String name, Article.TaxRateLabelEnum label, double price) {
        return new Item().quantity(2.0).unitPrice(price)
            .article(new Article().name(name).taxRateLabel(label));
    }

    public static void main(String[] arguments) throws Exception {
        String key = arguments[0];
        ApiClient client = new ApiClient();
        DefaultApi api = new DefaultApi(client);
        IssueRequest sale = new IssueRequest()
            .invoiceType(IssueRequest.InvoiceTypeEnum.NORMAL)
            .transactionType(IssueRequest.TransactionTypeEnum.SALE)
            .payments(new Payments().cash(200.0))
            .items(List.of(line("Сто", Article.TaxRateLabelEnum.DJ, 58.99)))
            .receiptDelivery(PAPER);
        Receipt receipt = api.issue(sale, key + "-sale");
        System.out.println("sale " + receipt.getInvoiceNumber() + " " + receipt.getTotalAmount());
        Receipt found = client.getObjectMapper()
            .convertValue(api.lookUp("key:" + key + "-sale"), Receipt.class);
        System.out.println("found " + found.getInvoiceNumber() + " " + found.getTotalAmount());
        RefundRequest back = new RefundRequest()
            .buyerId("10:123456788")
            .payments(new PaymentsOrNone().cash(117.98))
            .receiptDelivery(PAPER);
        List<Receipt> refunded = api.refund(receipt.getInvoiceNumber(), back, key + "-refund");
        System.out.println("refund " + refunded.stream().map(Receipt::getInvoiceNumber)
            .collect(Collectors.joining(" ")));
        IssueRequest advance = new IssueRequest()
            .invoiceType(IssueRequest.InvoiceTypeEnum.ADVANCE)
            .transactionType(IssueRequest.TransactionTypeEnum.SALE)
            .unknownAmountAdvance(true)
            .payments(new Payments().cash(3000.0))
            .advanceSpecification(Map.of("Ђ", 2000.0, "Е", 1000.0))
            .items(List.of(line("Сто", Article.TaxRateLabelEnum.DJ, 0),
                line("Хлеб", Article.TaxRateLabelEnum.E, 0)))
            .receiptDelivery(PAPER);
        System.out.println("advance " + api.issue(advance, key + "-advance").getInvoiceNumber());
        List<ListedReceipt> listed = api.listReceipts(null, null, List.of("normal", "advance"),
            null, null, null, null, null, null, 2, null).getReceipts();
        System.out.println("listed " + listed.stream().map(ListedReceipt::getInvoiceNumber)
            .collect(Collectors.joining(" ")));
        for (int at = 1; at < arguments.length; at++) {
            double amount = Double.parseDouble(arguments[at]);
            sale.payments(new Payments().cash(amount))
                .items(List.of(line("Сто", Article.TaxRateLabelEnum.DJ, amount).quantity(1.0)));
            Receipt exact = api.issue(sale, key + "-" + arguments[at]);
            System.out.println("exact " + exact.getInvoiceNumber() + " " + exact.getTotalAmount());
        }
    }
}
