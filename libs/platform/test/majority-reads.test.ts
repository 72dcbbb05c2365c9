import { createBase } from '@casewatch/platform';
import { outboxModel, outboxSubject } from '@casewatch/platform/database';
import { emptyDatabase, type ReplicaSet, startNats, type TestNats, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { deleteUser } from './support/delete-user.ts';
import { threeMembers } from './support/three-members.ts';
import { noHandlers } from './support/no-handlers.ts';

describe('on three members of MongoDB', () => {
  let set: ReplicaSet;
  let nats: TestNats;
  beforeAll(async () => {
    [set, nats] = await Promise.all([threeMembers(), startNats()]);
  });
  afterAll(() => nats.stop());

  it('publishes no event of a transaction that is rolled back', async () => {
    const identity = await createBase(
      'identity',
      {
        LOG_LEVEL: 'silent',
        METRICS_PORT: 0,
        MONGODB_URL: set.url('identity'),
        ...nats.user('identity'),
      },
      emptyDatabase,
    );
    identity.startPublishing();
    identity.consume(noHandlers('identity'));
    const operator = await connect({ servers: nats.url, ...nats.operator });
    const manager = await jetstreamManager(operator, { checkAPI: false });
    const published = async () => {
      const names = await manager.streams.names('user.deleted').next();
      if (!names.includes('IDENTITY')) return 0;
      return (await manager.streams.info('IDENTITY')).state.messages;
    };
    const add = (id: number) => deleteUser(identity, id);
    try {
      await add(1);
      // On a majority: the relay waits for that too, and is then free to look again.
      const unmarked = outboxModel(identity.db).find({ published_at: null }).readConcern('majority');
      await waitFor(async () => (await unmarked.clone().lean()).length === 0, {
        what: 'an event that is published and marked',
      });
      await set.stopReplication();
      const failing = expect(add(2)).rejects.toThrow();
      const local = outboxModel(identity.db)
        .find({ type: 'user.deleted' })
        .read('primary')
        .readConcern('local');
      await waitFor(async () => (await local.clone().lean()).length === 2, {
        what: 'the row on the primary alone',
      });
      // The relay looks now, as it does when any other session of the service ends.
      identity.bus.connection.publish(outboxSubject('identity'));
      await failing;
      await set.killPrimary();
      await set.resumeReplication();
      await waitFor(
        () =>
          add(3).then(
            () => true,
            () => false,
          ),
        { timeoutMs: 60_000, what: 'a write with a majority' },
      );
      await waitFor(async () => (await unmarked.clone().lean()).length === 0, {
        timeoutMs: 30_000,
        what: 'the next event, published and marked',
      });
      const rows = await outboxModel(identity.db).find().sort({ _id: 1 }).lean();
      const about = rows.map(({ body }) => (JSON.parse(body) as { subject: string }).subject);
      expect({ about, published: await published() }).toEqual({ about: ['user/1', 'user/3'], published: 2 });
    } finally {
      await operator.close();
      await identity.stop();
    }
  });
});
