// Subscriptions that each client keeps the place of.
"use strict";

exports.steps = {
  "a stream from its start, then live": async ({ library, client, event, events, fresh, numbers, next }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, events(3));
    const subscription = client.subscribeToStream(stream, { fromRevision: library.START });
    const got = next(subscription, 5);
    await client.appendToStream(stream, event(3));
    await client.appendToStream(stream, event(4));
    assert.deepEqual(numbers(await got), [0, 1, 2, 3, 4]);
    await subscription.unsubscribe();
  },
  "a stream after a revision": async ({ client, events, fresh, numbers, next }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, events(5));
    const subscription = client.subscribeToStream(stream, { fromRevision: 2n });
    assert.deepEqual(numbers(await next(subscription, 2)), [3, 4]);
    await subscription.unsubscribe();
  },
  "a stream from its end, told when it has caught up": async ({ library, client, event, events, fresh, numbers, next, within }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, events(2));
    const subscription = client.subscribeToStream(stream, { fromRevision: library.END });
    await within(new Promise((caughtUp) => subscription.once("caughtUp", caughtUp)), "caught up");
    const got = next(subscription, 1);
    await client.appendToStream(stream, event(2));
    assert.deepEqual(numbers(await got), [2]);
    await subscription.unsubscribe();
  },
  "$all through a filter, with checkpoints": async ({ library, client, events, fresh, next }, assert) => {
    const stream = fresh("filtered");
    await client.appendToStream(fresh("noise"), events(50));
    await client.appendToStream(stream, events(3));
    let checkpoints = 0;
    const filter = library.streamNameFilter({ prefixes: [stream], checkpointInterval: 1, maxSearchWindow: 10, checkpointReached: () => void checkpoints++ });
    const subscription = client.subscribeToAll({ fromPosition: library.START, filter });
    const got = await next(subscription, 3);
    assert.ok(got.every((e) => e.event.streamId === stream));
    assert.ok(checkpoints > 0, "no checkpoint came");
    await subscription.unsubscribe();
  },
  "$all without system events, by a regular expression": async ({ library, client, event, fresh, next }, assert) => {
    const stream = fresh("live");
    const subscription = client.subscribeToAll({ fromPosition: library.END, filter: library.excludeSystemEvents() });
    const got = next(subscription, 1, (e) => e.event.streamId === stream);
    await new Promise((soon) => setTimeout(soon, 200));
    await client.appendToStream(stream, event(1));
    assert.equal((await got).length, 1);
    await subscription.unsubscribe();
  },
  "a category index, live": async ({ library, client, event, fresh, next }, assert) => {
    const category = "v" + fresh("").slice(1).replaceAll("-", "");
    await client.appendToStream(`${category}-1`, event(1));
    const subscription = client.subscribeToStream(`$ce-${category}`, { fromRevision: library.START, resolveLinkTos: true });
    const got = next(subscription, 2);
    await client.appendToStream(`${category}-2`, event(2));
    assert.deepEqual((await got).map((e) => e.event.streamId), [`${category}-1`, `${category}-2`]);
    await subscription.unsubscribe();
  },
};
