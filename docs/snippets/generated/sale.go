// A sale, its look-up, its refund, an advance with two tax labels and the list of the newest
// receipts, by a client that is generated from the document of the shop's server.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json http://127.0.0.1:9999/openapi.json
//     openapi-generator-cli generate -i openapi.json -o client -g go --name-mappings \
//       hasVariants=WithVariants --global-property apiTests=false,modelTests=false \
//       --additional-properties packageName=client,withGoMod=false
//     go mod init fiscal
//
// Arguments: a key of at most 50 characters, and amounts, each of which is sold and paid exactly.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"

	"fiscal/client"
)

var paper = client.ReceiptDelivery{Pdf: *client.NewNullableBool(new(bool))}

func number(value float64) client.NullableFloat64 {
	return *client.NewNullableFloat64(&value)
}

func line(name string, label string, quantity float64, price float64) client.Item {
	item := client.NewItem(quantity, price)
	item.SetArticle(*client.NewArticle(name, label))
	return *item
}

func sale(payment float64, items ...client.Item) client.IssueRequest {
	paid := client.Payments{Cash: number(payment)}
	return *client.NewIssueRequest("normal", "sale", paid, items, paper)
}

func checked[Answer any](answer Answer, _ any, err error) Answer {
	if refused, is := err.(*client.GenericOpenAPIError); is {
		log.Fatal(err, string(refused.Body()))
	} else if err != nil {
		log.Fatal(err)
	}
	return answer
}

func main() {
	key, always := os.Args[1], context.Background()
	api := client.NewAPIClient(client.NewConfiguration()).DefaultAPI
	issued := func(body client.IssueRequest, name string) *client.Receipt {
		asked := api.Issue(always).IssueRequest(body).IdempotencyKey(key + "-" + name)
		receipt, answer, err := asked.Execute()
		return checked(receipt, answer, err)
	}
	receipt := issued(sale(200, line("Сто", "Ђ", 2, 58.99)), "sale")
	fmt.Println("sale", receipt.InvoiceNumber, receipt.GetTotalAmount())
	told, answer, err := api.LookUp(always, "key:"+key+"-sale").Execute()
	text, _ := json.Marshal(checked(told, answer, err))
	found := client.Receipt{}
	if err := json.Unmarshal(text, &found); err != nil {
		log.Fatal(err)
	}
	fmt.Println("found", found.InvoiceNumber, found.GetTotalAmount())
	back := client.NewRefundRequest("10:123456788", client.PaymentsOrNone{Cash: number(117.98)}, paper)
	refunds, answer, err := api.Refund(always, receipt.InvoiceNumber).RefundRequest(*back).
		IdempotencyKey(key + "-refund").Execute()
	fmt.Print("refund")
	for _, one := range checked(refunds, answer, err) {
		fmt.Print(" ", one.InvoiceNumber)
	}
	fmt.Println()
	advance := sale(3000, line("Сто", "Ђ", 2, 0), line("Хлеб", "Е", 2, 0))
	advance.SetInvoiceType("advance")
	advance.SetUnknownAmountAdvance(true)
	advance.SetAdvanceSpecification(map[string]float64{"Ђ": 2000, "Е": 1000})
	fmt.Println("advance", issued(advance, "advance").InvoiceNumber)
	page, answer, err := api.ListReceipts(always).InvoiceType([]string{"normal", "advance"}).
		Limit(2).Execute()
	fmt.Print("listed")
	for _, one := range checked(page, answer, err).Receipts {
		fmt.Print(" ", one.InvoiceNumber)
	}
	fmt.Println()
	for _, amount := range os.Args[2:] {
		price, err := strconv.ParseFloat(amount, 64)
		if err != nil {
			log.Fatal(err)
		}
		exact := issued(sale(price, line("Сто", "Ђ", 1, price)), amount)
		fmt.Println("exact", exact.InvoiceNumber, strconv.FormatFloat(exact.GetTotalAmount(), 'f', -1, 64))
	}
}
