// What the client sends again, and what it does not: a POST without an Idempotency-Key may have been recorded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFolio } from "../dist/index.js";

const away = "away";

/** A client whose service answers twice with a status, or not at all, and then accepts; and the calls that it heard. */
function refusedTwice(status, patience, after = "1") {
  const heard = [];
  const fetch = async (request) => {
    heard.push({ at: Date.now(), key: request.headers.get("Idempotency-Key"), body: await request.text() });
    if (heard.length > 2) return Response.json({ id: "I1" }, { status: 200 });
    if (status === away) throw new TypeError("fetch failed");
    return Response.json({ message: "X" }, { status, headers: after ? { "Retry-After": after } : {} });
  };
  return { heard, folio: createFolio({ baseUrl: "http://folio", key: "fk_test", patience, fetch }) };
}

const invoice = { external_reference: "order-1042" };
const calls = {
  GET: (folio) => folio.GET("/api/invoices"),
  PUT: (folio) => folio.PUT("/api/companies/{id_company}/fiscal-profile",
    { params: { path: { id_company: "C1" } }, body: invoice }),
  "POST with a key": (folio) => folio.POST("/api/invoices",
    { params: { header: { "Idempotency-Key": "order-1042" } }, body: invoice }),
  "POST without a key": (folio) => folio.POST("/api/invoices", { body: invoice }),
};

test("what is refused twice", { concurrency: true }, async (t) => {
  const cases = Object.keys(calls).flatMap((name) => [429, 503, away].map((status) => [name, status]));
  await Promise.all(cases.map(([name, status]) => {
    const again = name !== "POST without a key" || status === 429;
    return t.test(`${name} after ${status} is ${again ? "" : "not "}sent again`, async () => {
      const { heard, folio } = refusedTwice(status, 5);
      const outcome = await calls[name](folio).then((answer) => answer.response.status, () => away);
      assert.equal(outcome, again ? 200 : status);
      assert.equal(heard.length, again ? 3 : 1);
      for (const [i, { at, key, body }] of heard.entries()) {
        assert.equal(key, name === "POST with a key" ? "order-1042" : null);
        assert.equal(body, name === "GET" ? "" : JSON.stringify(invoice));
        assert.ok(i === 0 || at - heard[i - 1].at >= 990, "Retry-After is waited for");
      }
    });
  }));
});

test("nothing is sent again beyond patience, without Retry-After, or after another refusal", async () => {
  const cases = [[429, 0, "1", 1], [429, 1, "1", 2], [503, 5, "", 1], [409, 5, "1", 1]];
  for (const [status, patience, after, sent] of cases) {
    const { heard, folio } = refusedTwice(status, patience, after);
    const { response } = await calls.GET(folio);
    assert.deepEqual([heard.length, response.status], [sent, status]);
  }
});

test("who gives up is not made to wait", async () => {
  const { heard, folio } = refusedTwice(503, 5, "60");
  const stop = new AbortController();
  const asked = folio.GET("/api/invoices", { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 50);
  await assert.rejects(asked, /enough/);
  assert.equal(heard.length, 1);
});
