"""A store, a product that is changed, its picture and a relayed sale, by a client that is
generated from the platform's document.

The client is made beside this file by openapi-generator:
    curl -o openapi.json https://platform.example/openapi.json
    openapi-generator-cli generate -i openapi.json -o . -g python --additional-properties \
      packageName=fiscal
    pip install -r requirements.txt

Arguments: key, secret, clientId, a key of at most 50 characters, a JPEG.
"""

import sys
from pathlib import Path

from fiscal import (
    ApiClient,
    Article,
    Configuration,
    FilesApi,
    IssueRequest,
    Item,
    Payments,
    ProductChange,
    ProductInput,
    ProductsApi,
    Receipt,
    ReceiptDelivery,
    ReceiptsApi,
    StoreInput,
    StoresApi,
)

user, secret, client_id, key, picture = sys.argv[1:]
api = ApiClient(Configuration(username=user, password=secret))
stores, products, receipts = StoresApi(api), ProductsApi(api), ReceiptsApi(api)

store = stores.add_store(StoreInput(name=key, payment_methods_order=[["cash", "card"]]))
print("store", [one.name for one in stores.list_stores() if one.id == store.id][0] == key)
file = FilesApi(api).add_file(file=(f"{key}.jpg", Path(picture).read_bytes()))
print("picture", file.mimetype_filename)
new = ProductInput(
    name="Хлеб", tax_rate_label="Е", price=58.99, description="Бели", images=[file.id]
)
product = products.add_product(new)
product = products.update_product(str(product.id), product_change=ProductChange(price=60.5))
product = [one for one in products.list_products() if one.id == product.id][0]
print("product", product.tax_rate_label, product.price, product.description, len(product.images))
sale = IssueRequest(
    client_id=client_id,
    invoice_type="normal",
    transaction_type="sale",
    payments=Payments(cash=200),
    items=[Item(quantity=2, unit_price=58.99, article=Article(name="Сто", tax_rate_label="Ђ"))],
    receipt_delivery=ReceiptDelivery(pdf=False),
)
receipt = receipts.issue(sale, idempotency_key=f"{key}-sale")
print("sale", receipt.invoice_number, receipt.total_amount)
found = Receipt.from_dict(receipts.look_up(f"key:{key}-sale", client_id=client_id))
print("found", found.invoice_number, found.total_amount)
