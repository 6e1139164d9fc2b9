// A product with its picture on a platform, from Node 18 or newer, without any package:
//     node catalogue.mjs ADDRESS KEY SECRET PICTURE
// ADDRESS ends in /v2. Prints the product's article code and the address of its small picture.
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';

const [address, key, secret, picture] = process.argv.slice(2);

async function ask(method, path, body, type = 'application/json') {
  const answer = await fetch(address + path, {
    method,
    headers: {
      Authorization: 'Basic ' + Buffer.from(`${key}:${secret}`).toString('base64'),
      ...(body === undefined ? {} : { 'Content-Type': type }),
    },
    body: body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status} ${told.code} ${told.message}`);
  return told;
}

const store = await ask('POST', '/stores', { name: 'Продавница', city: 'Београд' });
await ask('PATCH', `/stores/${store.id}`, { phone: '+381 11 123' });
const stores = await ask('GET', '/stores');
if (!stores.some((one) => one.id === store.id && one.phone === '+381 11 123')) throw new Error('store');

// A picture is sent with its own type: JPEG, PNG, WebP …
const type = `image/${extname(picture).slice(1).toLowerCase().replace('jpg', 'jpeg')}`;
const upload = `/files?filename=${encodeURIComponent(basename(picture))}`;
const file = await ask('POST', upload, await readFile(picture), type);
const product = await ask('POST', '/products', {
  name: 'Хлеб',
  taxRateLabel: 'Е',
  productType: 'product',
  price: 58.99, // a number, never a string
  images: [file.id],
});
await ask('PATCH', `/products/${product.id}`, { price: 61.5 });
const products = await ask('GET', '/products');
const found = products.find((one) => one.id === product.id);
if (found.price !== 61.5) throw new Error('price');

const small = await fetch(found.coverImage.urls['128x128']); // no key: whoever has the address
if (small.headers.get('content-type') !== 'image/jpeg') throw new Error('picture');

try {
  await ask('POST', '/products', { name: 'Кифла', taxRateLabel: 'Е', sku: '7' });
  throw new Error('a text was taken for a number');
} catch (error) {
  if (!error.message.includes('"sku" must be a number')) throw error;
}

console.log(found.sku);
console.log(found.coverImage.urls['128x128']);
await ask('DELETE', `/products/${product.id}`);
await ask('DELETE', `/stores/${store.id}`);
