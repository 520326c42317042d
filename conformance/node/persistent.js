// Persistent subscriptions, whose place the node keeps.
"use strict";

exports.steps = {
  "create, read and acknowledge": async ({ library, client, events, fresh, numbers }, assert) => {
    const stream = fresh();
    await client.appendToStream(stream, events(4));
    await client.createPersistentSubscriptionToStream(stream, "g", library.persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: library.START }));
    const subscription = client.subscribeToPersistentSubscriptionToStream(stream, "g", { bufferSize: 2 });
    const got = [];
    for await (const e of subscription) {
      got.push(e);
      await subscription.ack(e);
      if (got.length === 4) break;
    }
    assert.deepEqual(numbers(got), [0, 1, 2, 3]);
    await subscription.unsubscribe();
  },
  "retry counts, then park and replay": async ({ library, client, event, fresh }, assert) => {
    const stream = fresh();
    await client.createPersistentSubscriptionToStream(stream, "g", library.persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: library.START }));
    await client.appendToStream(stream, event(1));
    const subscription = client.subscribeToPersistentSubscriptionToStream(stream, "g");
    const tries = [];
    for await (const e of subscription) {
      tries.push(e.retryCount);
      if (tries.length === 1) await subscription.nack(library.RETRY, "once more", e);
      if (tries.length === 2) {
        await subscription.nack(library.PARK, "not now", e);
        for (;;) {
          const { stats } = await client.getPersistentSubscriptionToStreamInfo(stream, "g");
          if (stats.parkedMessageCount === 1n) break;
          await new Promise((soon) => setTimeout(soon, 50));
        }
        await client.replayParkedMessagesToStream(stream, "g");
      }
      if (tries.length === 3) {
        await subscription.ack(e);
        break;
      }
    }
    assert.deepEqual(tries, [0, 1, 0]);
    await subscription.unsubscribe();
  },
  "update, information, list and delete": async ({ library, client, fresh }, assert) => {
    const stream = fresh();
    const settings = library.persistentSubscriptionToStreamSettingsFromDefaults;
    await client.createPersistentSubscriptionToStream(stream, "g", settings({ startFrom: 3n, consumerStrategyName: library.PINNED }));
    await client.updatePersistentSubscriptionToStream(stream, "g", settings({ startFrom: 3n, maxRetryCount: 77 }));
    const info = await client.getPersistentSubscriptionToStreamInfo(stream, "g");
    assert.equal(info.settings.maxRetryCount, 77);
    assert.equal(info.settings.startFrom, 3n);
    assert.equal((await client.listPersistentSubscriptionsToStream(stream)).length, 1);
    assert.ok((await client.listAllPersistentSubscriptions()).some((s) => s.eventSource === stream));
    await assert.rejects(client.createPersistentSubscriptionToStream(stream, "g", settings({})), library.PersistentSubscriptionExistsError);
    await client.deletePersistentSubscriptionToStream(stream, "g");
    await assert.rejects(client.deletePersistentSubscriptionToStream(stream, "g"), library.PersistentSubscriptionDoesNotExistError);
  },
  "$all through a filter": async ({ library, client, event, fresh }, assert) => {
    const stream = fresh("pall"), group = fresh("g");
    const filter = library.streamNameFilter({ prefixes: [stream] });
    await client.createPersistentSubscriptionToAll(group, library.persistentSubscriptionToAllSettingsFromDefaults({ startFrom: library.START }), { filter });
    const subscription = client.subscribeToPersistentSubscriptionToAll(group);
    await client.appendToStream(stream, event(1));
    for await (const e of subscription) {
      assert.equal(e.event.streamId, stream);
      await subscription.ack(e);
      break;
    }
    await subscription.unsubscribe();
    const info = await client.getPersistentSubscriptionToAllInfo(group);
    assert.equal(info.eventSource, "$all");
    await client.deletePersistentSubscriptionToAll(group);
  },
  "a subscriber too many is told": async ({ library, client, fresh, next, within }, assert) => {
    const stream = fresh();
    await client.createPersistentSubscriptionToStream(stream, "g", library.persistentSubscriptionToStreamSettingsFromDefaults({ maxSubscriberCount: 1 }));
    const first = client.subscribeToPersistentSubscriptionToStream(stream, "g");
    await within(new Promise((ready) => first.once("confirmation", ready)), "confirmation");
    const second = client.subscribeToPersistentSubscriptionToStream(stream, "g");
    await assert.rejects(next(second, 1), library.PersistentSubscriptionMaximumSubscribersReachedError);
    await first.unsubscribe();
  },
  "the subsystem restarts and drops its subscribers": async ({ library, client, fresh, next, within }, assert) => {
    const stream = fresh();
    await client.createPersistentSubscriptionToStream(stream, "g", library.persistentSubscriptionToStreamSettingsFromDefaults({}));
    const subscription = client.subscribeToPersistentSubscriptionToStream(stream, "g");
    await within(new Promise((ready) => subscription.once("confirmation", ready)), "confirmation");
    const dropped = assert.rejects(next(subscription, 1), library.PersistentSubscriptionDroppedError);
    await client.restartPersistentSubscriptionSubsystem();
    await dropped;
  },
};
