// The five operations and the look-up from Node 18 or newer, without any package:
//     node operations.mjs ADDRESS CLIENT KEY SECRET [SECONDS [WAIT]]
// At a platform ADDRESS ends in /v2. At the shop's own server, http://127.0.0.1:9999, nothing else changes:
// it reads neither CLIENT nor KEY. Prints each receipt's number.
// SECONDS: when to give up (60). WAIT: how long to wait for an answer (25; one comes within 20).
// Ends with 0: all issued, 1: refused, nothing was signed, 2: not known yet, or nobody is there.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const [address, clientId, name, secret, seconds = '60', wait = '25'] = process.argv.slice(2);
const receipts = `${address}/fiscalization/receipts`;
const until = Date.now() + Number(seconds) * 1000;

/** Status (0: no answer came) and body. */
async function ask(method, url, key, body) {
  try {
    const answer = await fetch(url, {
      method,
      headers: {
        Authorization: 'Basic ' + Buffer.from(`${name}:${secret}`).toString('base64'),
        ...(body ? { 'Content-Type': 'application/json', 'Idempotency-Key': key } : {}),
      },
      body: body && JSON.stringify({ clientId, ...body }),
      signal: AbortSignal.timeout(Number(wait) * 1000),
    });
    return [answer.status, await answer.json()];
  } catch {
    return [0, {}];
  }
}

function stop(status, words) {
  console.error(words);
  process.exit(status);
}

/** The receipts of one operation, an array of one or two. */
async function issue(path, body, key = randomUUID()) {
  let told = 'no answer';
  while (Date.now() < until) {
    let [status, answer] = await ask('POST', receipts + path, key, body);
    if (status >= 400) told = `${answer.code} ${answer.class}: ${answer.message}`;
    if (status >= 400 && status < 500 && answer.class !== 'wait') stop(1, told);
    while ((status === 0 || status >= 500 || status === 202) && Date.now() < until) {
      await sleep(500);
      [status, answer] = await ask('GET', `${receipts}/key:${key}?clientId=${clientId}`);
      if (status === 200) console.error('looked up');
    }
    if (status === 200) return Array.isArray(answer) ? answer : [answer];
    await sleep(500);
  }
  return stop(2, told);
}

function show(operation, issued) {
  for (const one of issued) console.log(`${operation} ${one.invoiceNumber}`);
  return issued.at(-1).invoiceNumber;
}

const item = { sku: 1, quantity: 2, unitPrice: 58.99 }; // numbers, never strings
const receiptDelivery = { pdf: false };

const key = randomUUID();
const sale = { invoiceType: 'normal', transactionType: 'sale', payments: { cash: 200 }, items: [item], receiptDelivery };
const sold = show('sale', await issue('', sale, key));
if (show('again', await issue('', sale, key)) !== sold) stop(1, 'another receipt for the same key');
show('copy', await issue(`/${sold}/copy`, { receiptDelivery }));
show('refund', await issue(`/${sold}/refund`, { payments: { cash: 117.98 }, buyerId: '10:100000049', receiptDelivery }));

const first = { ...sale, invoiceType: 'advance', payments: { wiretransfer: 50 } };
const paid = show('advance', await issue('', first));
const more = show('payment', await issue(`/${paid}/advance`, { payments: { card: 20 }, receiptDelivery }));
show('close', await issue(`/${more}/close`, { payments: { cash: 47.98 }, receiptDelivery }));
