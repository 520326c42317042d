// The answers of the server that clients notice: the table is conformance/answers.json, which the Go client takes too.
"use strict";
const { randomUUID } = require("node:crypto");
const table = require("./answers.json");

// What the newer client makes of two answers: it reads backwards from the end whatever it is asked, and calls
// every unknown error unavailable.
const newer = { "read a stream forwards from its end": "2 1 0", "read 0 events of a stream": "Error: UnavailableError" };

function said(library, e) {
  if (e instanceof library.StreamDeletedError) return "stream deleted";
  if (e instanceof library.StreamNotFoundError) return "not found";
  if (e instanceof library.WrongExpectedVersionError) return "wrong expected version";
  if (e instanceof library.UnknownError || /UNKNOWN|Exception was thrown by handler|ServerError/.test(String(e))) return "unknown";
  return String(e);
}

// asking answers what is done with a stream of its own, whose name is not ASCII.
function asking(context) {
  const { library, client, events, event, collect, expected, within } = context;
  const stream = `año-${randomUUID()}`;
  const fill = (n) => client.appendToStream(stream, events(n));
  const raw = (text) => client.appendToStream(`$$${stream}`, library.binaryEvent({ type: "$metadata", data: Buffer.from(text) }));
  const read = async (options) => {
    const seen = (await collect(client.readStream(stream, options))).map((e) => Number(e.event.revision));
    return seen.length ? seen.join(" ") : "nothing";
  };
  const underMeta = (text) => async () => (await fill(3), await raw(text), read());
  const settings = (more) => library.persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: library.START, ...more });

  async function pipelined() {
    const total = 10_000, spread = 20;
    const sent = [];
    for (let i = 0; i < total; i++) sent.push(client.appendToStream(`${stream}-${i % spread}`, event(i)));
    await Promise.all(sent);
    let swapped = 0;
    for (let s = 0; s < spread; s++) {
      const got = await collect(client.readStream(`${stream}-${s}`));
      if (got.length !== total / spread) return `${got.length} of ${total / spread}`;
      got.forEach(({ event }, i) => (swapped += event.data.data !== i * spread + s ? 1 : 0));
    }
    return String(swapped);
  }
  async function chained() {
    const sent = [];
    for (let c = 0; c < 200; c++)
      for (let i = 0; i < 20; i++) sent.push(client.appendToStream(`${stream}-${c}`, event(i), { [expected]: i === 0 ? library.NO_STREAM : BigInt(i - 1) }));
    return String((await Promise.allSettled(sent)).filter((s) => s.status === "rejected").length);
  }
  async function subscribed() {
    const subscription = client.subscribeToStream(stream, { fromRevision: library.START });
    const heard = [];
    const two = new Promise((done) => {
      const hear = (what) => heard.push(what) === 2 && done();
      subscription.on("data", (e) => hear(Number(e.event.revision)));
      subscription.on("caughtUp", () => hear("caught up"));
    });
    await within(new Promise((confirmed) => subscription.once("confirmation", confirmed)), "confirmation");
    await client.appendToStream(stream, event("after"));
    await within(two, `two messages, heard ${heard}`);
    await subscription.unsubscribe();
    return heard.join(", ");
  }
  async function updatedGroup() {
    await fill(3);
    await client.createPersistentSubscriptionToStream(stream, "g", settings());
    await client.updatePersistentSubscriptionToStream(stream, "g", settings({ startFrom: library.END }));
    const subscription = client.subscribeToPersistentSubscriptionToStream(stream, "g");
    await within(new Promise((confirmed) => subscription.once("confirmation", confirmed)), "confirmation");
    await client.appendToStream(stream, event("after"));
    for await (const e of subscription) {
      await subscription.ack(e);
      await subscription.unsubscribe();
      return String(e.event.revision);
    }
  }
  async function replayed() {
    await fill(4);
    await client.createPersistentSubscriptionToStream(stream, "g", settings());
    const parked = async () => Number((await client.getPersistentSubscriptionToStreamInfo(stream, "g")).stats.parkedMessageCount);
    const subscription = client.subscribeToPersistentSubscriptionToStream(stream, "g");
    let taken = 0;
    for await (const e of subscription) {
      await subscription.nack(library.PARK, "later", e);
      if (++taken === 4) break;
    }
    while ((await parked()) !== 4) await new Promise((soon) => setTimeout(soon, 20));
    await subscription.unsubscribe();
    await client.replayParkedMessagesToStream(stream, "g", { stopAt: 2 });
    return String(await parked());
  }
  return {
    "10,000 appends to 20 streams, not awaited: out of order": pipelined,
    "200 chains of 20 appends at exact revisions, not awaited: failed": chained,
    "read a tombstoned stream whose name is not ASCII": async () => (await fill(3), await client.tombstoneStream(stream), read()),
    "delete a missing stream whose name is not ASCII": async () => (await client.deleteStream(stream), "done"),
    "read under metadata with one field of the wrong kind": underMeta('{"$tb":1,"$maxCount":"x"}'),
    "read under metadata with one field null": underMeta('{"$tb":1,"$maxCount":null}'),
    "read under metadata with a field twice": underMeta('{"$tb":1,"$tb":2}'),
    "read under metadata that is no JSON": underMeta('{"$tb":1'),
    "subscribe to a missing stream, then append": subscribed,
    "subscribe to a deleted stream, then append": async () => (await fill(3), await client.deleteStream(stream), subscribed()),
    "a group from the start, unused, updated to the end: its first event after 3": updatedGroup,
    "park 4, replay 2: parked before a consumer takes them": replayed,
    "delete, then metadata that is no object: read": async () => (await fill(3), await client.deleteStream(stream), await raw("[]"), read()),
    "tombstone, then set metadata": async () => (await fill(1), await client.tombstoneStream(stream), await client.setStreamMetadata(stream, {}), "done"),
    "tombstone, then read metadata": async () => {
      await fill(1);
      await client.setStreamMetadata(stream, {});
      await client.tombstoneStream(stream);
      return (await collect(client.readStream(`$$${stream}`))).length;
    },
    "append e, e again at the exact revision, e at any: next revision": async () => {
      const e = event("e");
      await client.appendToStream(stream, e);
      await client.appendToStream(stream, e, { [expected]: 0n });
      return String((await client.appendToStream(stream, e)).nextExpectedRevision);
    },
    "delete, then append nothing: read": async () => (await fill(3), await client.deleteStream(stream), await client.appendToStream(stream, []), read()),
    "read a stream forwards from its end": async () => (await fill(3), read({ fromRevision: library.END })),
    "read 0 events of a stream": async () => (await fill(3), read({ maxCount: 0 })),
  };
}

exports.steps = {};
for (const [situation, answer] of Object.entries(table)) {
  exports.steps[situation] = async (context, assert) => {
    const ask = asking(context)[situation];
    assert.ok(ask, "nobody asks this");
    let got;
    try {
      got = await ask();
    } catch (e) {
      got = said(context.library, e);
    }
    assert.equal(got, (context.client.multiStreamAppend && newer[situation]) || answer);
  };
}
