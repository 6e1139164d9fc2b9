// A first receipt from JavaScript (Node 18 or newer), without any package:
//     node first_receipt.mjs [address [key [seconds]]]
// Ends with 0: issued, 1: refused, 2: not known yet, come back with the key. Refused is not signed; but if the key
// stands for another body, that one may be signed: look it up, and take no new key for the same sale.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const [address = "http://127.0.0.1:9999", given, seconds = "60"] = process.argv.slice(2);
// Of your own, new for each sale, and kept with the sale BEFORE it is sent.
const key = given ?? randomUUID();
const until = Date.now() + Number(seconds) * 1000;

const sale = {
  invoiceType: "normal",
  transactionType: "sale",
  payments: { cash: 200 },
  items: [{ sku: 1, quantity: 2, unitPrice: 58.99 }], // numbers, never strings
  receiptDelivery: { pdf: true },
};

/** Status (0: no answer came) and body. */
async function ask(url, options = {}) {
  try {
    // The server answers within 20 s.
    const answer = await fetch(url, { signal: AbortSignal.timeout(25_000), ...options });
    return [answer.status, await answer.json()];
  } catch {
    return [0, {}]; // refused, cut off or too late: not known
  }
}

function issue() {
  return ask(`${address}/fiscalization/receipts`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(sale),
  });
}

function lookUp() {
  return ask(`${address}/fiscalization/receipts/key:${key}`);
}

async function sell() {
  do {
    let [status, answer] = await issue();
    if (status >= 400 && status < 500 && answer.class !== "wait") {
      console.error(`${answer.class}: ${answer.message}`); // fix, or cure
      return 1;
    }
    // No answer, or 5xx: it may be signed. Look it up until that is known.
    while ((status === 0 || status >= 500 || status === 202) && Date.now() < until) {
      await sleep(1000);
      [status, answer] = await lookUp();
    }
    if (status === 200) {
      console.log(`${answer.invoiceNumber}\n${answer.pdf}`);
      return 0;
    }
    await sleep(1000); // surely not signed (wait, or 404): the same key again
  } while (Date.now() < until);
  console.error(`not known yet: ${key}`);
  return 2;
}

process.exitCode = await sell();
