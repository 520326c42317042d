// Steps that both Node clients take; each prints one line {"name", "ok", "error"}.
"use strict";
const assert = require("node:assert/strict");
const { randomUUID } = require("node:crypto");

const second = 1000;

function within(promise, what, time = 20 * second) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what}: not in time`)), time);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function collect(stream) {
  const out = [];
  for await (const item of stream) out.push(item);
  return out;
}

// next answers the first n items of a subscription that keep says yes to.
async function next(subscription, n, keep = () => true) {
  const out = [];
  for await (const item of subscription) {
    if (keep(item)) out.push(item);
    if (out.length === n) break;
  }
  return out;
}

exports.run = async function (library, Client, expected) {
  const address = process.argv[2];
  const open = () => Client.connectionString(address);
  const client = open();
  const event = (data, type = "E") => library.jsonEvent({ type, data: { data } });
  const events = (n, type) => Array.from({ length: n }, (_, i) => event(i, type));
  const fresh = (category = "s") => `${category}-${randomUUID()}`;
  const numbers = (list) => list.map((e) => Number((e.link || e.event).revision));
  const context = { library, client, open, expected, event, events, fresh, numbers, collect, next, within };
  let failed = 0;
  for (const part of ["./streams", "./subscriptions", "./persistent", "./answers"]) {
    for (const [name, step] of Object.entries(require(part).steps)) {
      const line = { name, ok: true };
      try {
        await within(step(context, assert), name, 40 * second);
      } catch (e) {
        failed++;
        line.ok = false;
        line.error = String(e && e.stack ? e.stack : e).slice(0, 600);
      }
      console.log(JSON.stringify(line));
    }
  }
  await client.dispose();
  process.exit(failed ? 1 : 0);
};
