// A store, a product that is changed, its picture and a relayed sale, by a client that is
// generated from the platform's document.
//
// The client is made beside this file by openapi-generator:
//     curl -o openapi.json https://platform.example/openapi.json
//     openapi-generator-cli generate -i openapi.json -o client -g go --name-mappings \
//       hasVariants=WithVariants --global-property apiTests=false,modelTests=false \
//       --additional-properties packageName=client,withGoMod=false
//     go mod init fiscal
//
// Arguments: key, secret, clientId, a key of at most 50 characters, a JPEG.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"fiscal/client"
)

func checked[Answer any](answer Answer, _ any, err error) Answer {
	if refused, is := err.(*client.GenericOpenAPIError); is {
		log.Fatal(err, string(refused.Body()))
	} else if err != nil {
		log.Fatal(err)
	}
	return answer
}

func main() {
	id, secret, clientId, key, photo := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	account := context.WithValue(context.Background(), client.ContextBasicAuth,
		client.BasicAuth{UserName: id, Password: secret})
	api := client.NewAPIClient(client.NewConfiguration())

	newStore := client.NewStoreInput(key)
	newStore.SetPaymentMethodsOrder([][]interface{}{{"cash", map[string]string{"name": "card"}}})
	added, answer, err := api.StoresAPI.AddStore(account).StoreInput(*newStore).Execute()
	store := checked(added, answer, err)
	stores, answer, err := api.StoresAPI.ListStores(account).Execute()
	isThere := false
	for _, one := range checked(stores, answer, err) {
		isThere = isThere || one.Id == store.Id && one.Name == key
	}
	fmt.Println("store", map[bool]string{true: "True", false: "False"}[isThere])
	bytes, err := os.Open(photo)
	if err != nil {
		log.Fatal(err)
	}
	sent, answer, err := api.FilesAPI.AddFile(account).File(bytes).Execute()
	picture := checked(sent, answer, err)
	fmt.Println("picture", picture.MimetypeFilename)
	bread := client.NewProductInput("Хлеб", "Е")
	bread.SetPrice(58.99)
	bread.SetDescription("Бели")
	bread.SetImages([]string{picture.Id})
	made, answer, err := api.ProductsAPI.AddProduct(account).ProductInput(*bread).Execute()
	product := checked(made, answer, err)
	change := client.NewProductChange()
	change.SetPrice(60.5)
	changed, answer, err := api.ProductsAPI.UpdateProduct(account, product.Id).
		ProductChange(*change).Execute()
	checked(changed, answer, err)
	products, answer, err := api.ProductsAPI.ListProducts(account).Execute()
	for _, one := range checked(products, answer, err) {
		if one.Id == product.Id {
			fmt.Println("product", one.TaxRateLabel, one.GetPrice(), one.GetDescription(), len(one.Images))
		}
	}
	item := client.NewItem(2, 58.99)
	item.SetArticle(*client.NewArticle("Сто", "Ђ"))
	cash := 200.0
	sale := client.NewIssueRequest("normal", "sale",
		client.Payments{Cash: *client.NewNullableFloat64(&cash)}, []client.Item{*item},
		client.ReceiptDelivery{Pdf: *client.NewNullableBool(new(bool))})
	sale.SetClientId(clientId)
	issued, answer, err := api.ReceiptsAPI.Issue(account).IssueRequest(*sale).
		IdempotencyKey(key + "-sale").Execute()
	receipt := checked(issued, answer, err)
	fmt.Println("sale", receipt.InvoiceNumber, receipt.GetTotalAmount())
	told, answer, err := api.ReceiptsAPI.LookUp(account, "key:"+key+"-sale").ClientId(clientId).Execute()
	text, _ := json.Marshal(checked(told, answer, err))
	found := client.Receipt{}
	if err := json.Unmarshal(text, &found); err != nil {
		log.Fatal(err)
	}
	fmt.Println("found", found.InvoiceNumber, found.GetTotalAmount())
}
