// Appending, reading, metadata and deletion.
"use strict";

exports.steps = {
  "append and read forwards": async ({ client, events, fresh, numbers, collect }, assert) => {
    const stream = fresh();
    const written = await client.appendToStream(stream, events(5));
    assert.equal(written.success, true);
    assert.equal(written.nextExpectedRevision, 4n);
    assert.deepEqual(numbers(await collect(client.readStream(stream, { maxCount: 10 }))), [0, 1, 2, 3, 4]);
  },
  "read backwards from a revision": async ({ library, client, events, fresh, numbers, collect }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, events(5));
    const read = await collect(client.readStream(stream, { direction: library.BACKWARDS, fromRevision: 3n, maxCount: 2 }));
    assert.deepEqual(numbers(read), [3, 2]);
  },
  "binary data and metadata come back as they were": async ({ library, client, fresh, collect }, assert) => {
    const stream = fresh();
    const sent = library.binaryEvent({ type: "B", data: Buffer.from([0, 255, 7]), metadata: Buffer.from([1, 2]) });
    await client.appendToStream(stream, sent);
    const [{ event }] = await collect(client.readStream(stream));
    assert.equal(event.isJson, false);
    assert.equal(event.id, sent.id);
    assert.deepEqual([...event.data], [0, 255, 7]);
    assert.deepEqual([...event.metadata], [1, 2]);
    assert.ok(event.created instanceof Date || typeof event.created === "number");
  },
  "a wrong expected revision throws, or answers when asked to": async ({ library, client, expected, event, fresh }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, event(1), { [expected]: library.NO_STREAM });
    await assert.rejects(client.appendToStream(stream, event(2), { [expected]: library.NO_STREAM }), library.WrongExpectedVersionError);
    await assert.rejects(client.appendToStream(stream, event(2), { [expected]: 7n }), library.WrongExpectedVersionError);
    await client.appendToStream(stream, event(2), { [expected]: 0n });
  },
  "an append with credentials takes the single call": async ({ library, client, expected, event, fresh }, assert) => {
    const options = { [expected]: library.NO_STREAM, credentials: { username: "admin", password: "changeit" } };
    const stream = fresh();
    assert.equal((await client.appendToStream(stream, event(1), options)).success, true);
    await assert.rejects(client.appendToStream(stream, event(2), options), library.WrongExpectedVersionError);
  },
  "the same append twice is one": async ({ library, client, expected, events, fresh, collect }, assert) => {
    const stream = fresh();
    const batch = events(3);
    const first = await client.appendToStream(stream, batch, { [expected]: library.NO_STREAM });
    const second = await client.appendToStream(stream, batch, { [expected]: library.NO_STREAM });
    assert.equal(second.nextExpectedRevision, first.nextExpectedRevision);
    assert.equal((await collect(client.readStream(stream))).length, 3);
  },
  "a batch in chunks is one append": async ({ library, client, fresh, collect }, assert) => {
    const stream = fresh();
    const batch = Array.from({ length: 40 }, (_, i) => library.jsonEvent({ type: "E", data: { i, text: "x".repeat(10_000) } }));
    await client.appendToStream(stream, batch, { batchAppendSize: 50_000 });
    assert.equal((await collect(client.readStream(stream))).length, 40);
  },
  "many appends at once all arrive": async ({ client, event, fresh, collect }, assert) => {
    const stream = fresh();
    await Promise.all(Array.from({ length: 50 }, (_, i) => client.appendToStream(stream, event(i))));
    assert.equal((await collect(client.readStream(stream))).length, 50);
  },
  "an append that is too large says so": async ({ library, client, fresh }, assert) => {
    const big = library.jsonEvent({ type: "E", data: { text: "x".repeat(2 << 20) } });
    await assert.rejects(client.appendToStream(fresh(), big), library.MaxAppendSizeExceededError);
  },
  "a stream that is not there throws": async ({ library, client, fresh, collect }, assert) => {
    await assert.rejects(collect(client.readStream(fresh())), library.StreamNotFoundError);
  },
  "stream metadata bounds what is read": async ({ client, events, fresh, numbers, collect }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, events(5));
    await client.setStreamMetadata(stream, { maxCount: 2, own: "kept" });
    const { metadata } = await client.getStreamMetadata(stream);
    assert.equal(metadata.maxCount, 2);
    assert.equal(metadata.own, "kept");
    assert.deepEqual(numbers(await collect(client.readStream(stream))), [3, 4]);
  },
  "a deleted stream is gone and can go on": async ({ library, client, event, events, fresh, numbers, collect }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, events(3));
    await client.deleteStream(stream);
    await assert.rejects(collect(client.readStream(stream)), library.StreamNotFoundError);
    await client.appendToStream(stream, event(3));
    assert.deepEqual(numbers(await collect(client.readStream(stream))), [3]);
  },
  "a tombstoned stream is gone for ever": async ({ library, client, event, events, fresh, collect }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, events(1));
    await client.tombstoneStream(stream);
    await assert.rejects(collect(client.readStream(stream)), library.StreamDeletedError);
    await assert.rejects(client.appendToStream(stream, event(1)), library.StreamDeletedError);
  },
  "$all forwards, backwards and filtered": async ({ library, client, events, fresh, collect }, assert) => {
    const stream = fresh("counted");
    const { position } = await client.appendToStream(stream, events(3));
    const forwards = await collect(client.readAll({ fromPosition: position, maxCount: 1 }));
    assert.equal(forwards[0].event.streamId, stream);
    const backwards = await collect(client.readAll({ direction: library.BACKWARDS, fromPosition: position, maxCount: 2 }));
    assert.deepEqual(backwards.map((e) => Number(e.event.revision)), [1, 0]);
    if (!client.multiStreamAppend) return; // the older client reads $all without filters
    const filter = library.streamNameFilter({ prefixes: [stream] });
    assert.equal((await collect(client.readAll({ filter }))).length, 3);
  },
  "links resolve to their events": async ({ library, client, events, fresh, collect }, assert) => {
    const target = fresh(), links = fresh("links");
    await client.appendToStream(target, events(2));
    await client.appendToStream(links, library.binaryEvent({ type: "$>", data: Buffer.from(`1@${target}`) }));
    const [{ event, link }] = await collect(client.readStream(links, { resolveLinkTos: true }));
    assert.equal(event.streamId, target);
    assert.equal(Number(event.revision), 1);
    assert.equal(link.streamId, links);
  },
  "categories, types and streams have indexes": async ({ client, events, fresh, numbers, collect }, assert) => {
    const category = "c" + fresh("").slice(1).replaceAll("-", "");
    await client.appendToStream(`${category}-1`, events(2, category));
    await client.appendToStream(`${category}-2`, events(1, category));
    for (const index of [`$ce-${category}`, `$et-${category}`]) {
      const read = await collect(client.readStream(index, { resolveLinkTos: true }));
      assert.deepEqual(read.map((e) => e.event.streamId), [`${category}-1`, `${category}-1`, `${category}-2`]);
      assert.deepEqual(numbers(read), [0, 1, 2]);
    }
    const streams = await collect(client.readStream("$streams", { resolveLinkTos: true }));
    assert.equal(streams.filter((e) => e.event && e.event.streamId.startsWith(category)).length, 2);
  },
};
