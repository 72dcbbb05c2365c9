import { join } from 'node:path';
import {
  ApiError,
  type Bus,
  connectBus,
  createLogger,
  isTransient,
  NotLeaderError,
  timeLeftHeader,
  timeLeftMs,
} from '@casewatch/platform';
import { connectAs, spawnProgram, startNats, type TestNats, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, headers } from '@nats-io/transport-node';

const question = { ids: [7], fields: ['name' as const] };
const answer = { people: [{ id: 7, name: 'A' }] };

describe('requests over the bus', () => {
  let nats: TestNats;
  let identity: Bus;
  let cases: Bus;
  let notifier: Bus;
  let webhooks: Bus;
  beforeAll(async () => {
    nats = await startNats();
    [identity, cases, notifier, webhooks] = await Promise.all([
      connectAs(nats, 'identity'),
      connectAs(nats, 'cases'),
      connectAs(nats, 'notifier'),
      connectAs(nats, 'webhooks'),
    ]);
  });

  afterAll(async () => {
    await Promise.all([identity, cases, notifier, webhooks].map((bus) => bus.stop()));
    await nats.stop();
  });

  it('stops immediately while the server is away', async () => {
    const away = await startNats();
    const bus = await connectAs(away, 'cases');
    await away.stop();
    await waitFor(() => !bus.isConnected(), { what: 'the disconnection' });
    await bus.stop();
    expect(bus.connection.isClosed()).toBe(true);
  });

  it('keeps no process alive after its connection is closed', async () => {
    const { NATS_URL, NATS_PASSWORD } = nats.user('cases');
    const path = join(import.meta.dirname, 'support/lose-bus.program.ts');
    const program = spawnProgram(path, { args: [NATS_URL, NATS_PASSWORD], env: {} });
    try {
      await waitFor(() => program.child.exitCode === 0, { what: 'the end', timeoutMs: 30_000 });
    } finally {
      await program.end('SIGKILL');
    }
  });

  it('asks again for what is only read, where the question or the answer was lost', async () => {
    const partner = { email: 'a@example.com', case_limit: null };
    let asked = 0;
    const subscription = identity.connection.subscribe('identity.partner', {
      callback: (_error, message) => {
        asked += 1;
        if (asked === 2) message.respond(JSON.stringify({ ok: true, data: partner }));
      },
    });
    await identity.connection.flush();
    expect(await webhooks.request('identity.partner', { partner_id: 1 })).toEqual(partner);
    subscription.unsubscribe();
    expect(asked).toBe(2);
  });

  it('asks another replica for what was lost with the connection of the one that had the question', async () => {
    const replicas = await Promise.all([connectAs(nats, 'identity'), connectAs(nats, 'identity')]);
    let lost = 0;
    for (const replica of replicas) {
      replica.serve('identity.people', async () => {
        if (lost > 0) return answer;
        lost += 1;
        await replica.connection.close();
        throw new NotLeaderError();
      });
      await replica.connection.flush();
    }
    const asker = await connectAs(nats, 'cases');
    try {
      await expect(asker.request('identity.people', question)).resolves.toEqual(answer);
      expect(lost).toBe(1);
    } finally {
      await Promise.all([asker, ...replicas].map((bus) => bus.stop()));
    }
  });

  it('asks one that answers slowly no more than 5 % of its questions a second time', async () => {
    const asker = await connectAs(nats, 'cases');
    let asked = 0;
    const subscription = identity.connection.subscribe('identity.people', {
      callback: (_error, message) => {
        asked += 1;
        setTimeout(() => message.respond(JSON.stringify({ ok: true, data: answer })), 700);
      },
    });
    try {
      await identity.connection.flush();
      const questions = Array.from({ length: 100 }, () =>
        asker.request('identity.people', question, { deadlineMs: 1_000 }).catch(() => 'not in time'),
      );
      await Promise.all(questions);
      expect(asked).toBeGreaterThanOrEqual(100);
      expect(asked).toBeLessThanOrEqual(105);
    } finally {
      subscription.unsubscribe();
      await asker.stop();
    }
  });

  it('answers 503 where nobody serves the subject', async () => {
    await expect(
      cases.request('monitor.check', {
        receipt_number: 'EAC9999103403',
        caller: { partner_id: 1, user_id: 7 },
        max_age_s: 0,
      }),
    ).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('returns the answer, or the owner’s own error', async () => {
    const askers: string[] = [];
    identity.serve('identity.people', async ({ ids }, asker) => {
      askers.push(asker);
      if (!ids.includes(7)) throw new ApiError('user_not_found');
      return answer;
    });
    await identity.connection.flush();
    await expect(cases.request('identity.people', question)).resolves.toEqual(answer);
    await expect(notifier.request('identity.people', { ...question, ids: [8] })).rejects.toMatchObject({
      code: 'user_not_found',
      status: 404,
    });
    expect(askers).toEqual(['cases', 'notifier']);
  });

  it.each([
    [
      'an error of its own',
      { ok: false, error: { code: 'internal_error', message: 'Something went wrong.' } },
    ],
    ['an error that is not known here', { ok: false, error: { code: 'of_tomorrow', message: 'New.' } }],
    ['a reply that does not match its schema', { ok: true, data: { id: 'seven' } }],
  ])('answers 503, as while the owner is unavailable, if it answers with %s', async (_what, said) => {
    const subscription = identity.connection.subscribe('identity.partner', {
      callback: (_error, message) => void message.respond(JSON.stringify(said)),
    });
    await identity.connection.flush();
    const webhooks = await connectAs(nats, 'webhooks');
    try {
      const refusal = await webhooks
        .request('identity.partner', { partner_id: 1 })
        .catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'service_unavailable', status: 503, retryAfterS: 5 });
      expect(isTransient(refusal)).toBe(true);
    } finally {
      subscription.unsubscribe();
      await webhooks.stop();
    }
  });

  it('answers what it has been asked before it stops', async () => {
    const leaving = await connectAs(nats, 'identity');
    let asked = 0;
    let release: (() => void) | undefined;
    leaving.serve('identity.session', async () => {
      asked += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      throw new ApiError('token_revoked');
    });
    await leaving.connection.flush();
    const gateway = await connectAs(nats, 'gateway');
    const answer = gateway.request('identity.session', { session_id: 's', user_id: 7 });
    const refused = expect(answer).rejects.toMatchObject({ code: 'token_revoked' });
    await waitFor(() => asked === 1, { what: 'the question' });
    const stopped = leaving.stop();
    release?.();
    await Promise.all([refused, stopped]);
    await gateway.stop();
  });

  it('waits a moment for the replica that takes over from the last one that answered', async () => {
    const gateway = await connectAs(nats, 'gateway');
    const answer = gateway.request('identity.jwks', {});
    const next = await connectAs(nats, 'identity');
    next.serve('identity.jwks', async () => {
      throw new ApiError('token_revoked');
    });
    await expect(answer).rejects.toMatchObject({ code: 'token_revoked' });
    await Promise.all([gateway.stop(), next.stop()]);
  });

  it('lets every replica hear what is announced to all of them', async () => {
    const asGateway = () => connectAs(nats, 'gateway');
    const gateways = await Promise.all([asGateway(), asGateway(), asGateway()]);
    const heard: number[] = [];
    for (const [i, gateway] of gateways.entries()) {
      gateway.subscribe('gateway.counted', async () => void heard.push(i));
      await gateway.connection.flush();
    }
    gateways[0].publish('gateway.counted', { replica: 'a', ask: false, counts: [['user', '7', 1]] });
    await waitFor(() => heard.length === 3, { what: 'all three' });
    expect(heard.toSorted()).toEqual([0, 1, 2]);
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });

  it.each([
    ['the subject of an event', 'case.created'],
    ['the subject of another request', 'notifier.send'],
    ['the wake-up of a relay', 'outbox.webhooks'],
    ['an inbox where another service answers', '_INBOX_webhooks.cases.token'],
    ['an inbox of a service that does not ask this', '_INBOX_monitor.identity.token'],
    ['an inbox whose name only begins alike', '_INBOX_webhooks.identity_too.token'],
  ])('are not answered at %s', async (_what, reply) => {
    const unanswered: object[] = [];
    const log = createLogger('identity', 'silent');
    log.warn = (fields: object) => void unanswered.push(fields);
    const { NATS_URL: url, NATS_USER: name, NATS_PASSWORD: password } = nats.user('identity');
    const owner = await connectBus({ service: 'identity', url, user: name, password, log });
    const webhooks = await connectAs(nats, 'webhooks');
    const asked: number[] = [];
    owner.serve('identity.partner', async ({ partner_id }) => {
      asked.push(partner_id);
      return { email: '' };
    });
    await owner.connection.flush();
    webhooks.connection.publish('identity.partner', '{"partner_id":6}', { reply });
    await expect(webhooks.request('identity.partner', { partner_id: 7 })).resolves.toMatchObject({
      email: '',
    });
    expect({ asked, unanswered }).toEqual({ asked: [7], unanswered: [{ request: 'identity.partner' }] });
    await Promise.all([webhooks.stop(), owner.stop()]);
  });

  it('are not answered after their caller’s time', async () => {
    const [owner, webhooks] = await Promise.all([connectAs(nats, 'identity'), connectAs(nats, 'webhooks')]);
    const late = Promise.withResolvers<void>();
    owner.serve('identity.partner', async ({ partner_id }) => {
      if (partner_id === 1) await waitFor(() => timeLeftMs() < 0, { what: 'the end of the caller’s time' });
      late.resolve();
      throw new ApiError('internal_error');
    });
    const answered: string[] = [];
    webhooks.connection.subscribe('_INBOX_webhooks.identity.*', {
      callback: (_error, { subject }) => void answered.push(subject),
    });
    await Promise.all([owner.connection.flush(), webhooks.connection.flush()]);
    const hdrs = headers();
    hdrs.set(timeLeftHeader, '20');
    const ask = (partner_id: number, options: { headers?: typeof hdrs } = {}) =>
      webhooks.connection.publish('identity.partner', JSON.stringify({ partner_id }), {
        reply: `_INBOX_webhooks.identity.${partner_id}`,
        ...options,
      });
    ask(1, { headers: hdrs });
    await late.promise;
    ask(2);
    await waitFor(() => answered.includes('_INBOX_webhooks.identity.2'), { what: 'the other answer' });
    expect(answered).toEqual(['_INBOX_webhooks.identity.2']);
    await Promise.all([webhooks.stop(), owner.stop()]);
  });

  it('takes no event of a stream for a core event, where a service has JetStream deliver it', async () => {
    const [hearing, monitor, webhooks] = await Promise.all([
      connectAs(nats, 'cases'),
      connectAs(nats, 'monitor'),
      connectAs(nats, 'webhooks'),
    ]);
    const at = '2026-11-21T10:00:00.000Z';
    const checked = (caseId: number) => ({ checked_at: at, next_check_at: at, case_ids: [caseId] });
    const heard: number[] = [];
    hearing.subscribe('status.checked', async ({ case_ids }) => void heard.push(...case_ids));
    await hearing.connection.flush();
    // An operator publishes what looks like a core event in a stream of webhooks.
    const operator = await connect({ servers: nats.url, ...nats.operator });
    await operator.request('case.created', JSON.stringify(checked(1)));
    await operator.close();
    const next = 'STREAMS.API.CONSUMER.MSG.NEXT.CASES.webhooks-cases';
    const pull = '{"batch":1,"no_wait":true}';
    webhooks.connection.publish(next, pull, { reply: 'status.checked' });
    const { headers: status } = await webhooks.connection.request(next, pull, {
      timeout: 5_000,
      noMux: true,
    });
    expect(status?.code).toBe(404);
    monitor.publish('status.checked', checked(2));
    await waitFor(() => heard.includes(2), { what: 'the core event' });
    expect(heard).toEqual([2]);
    await Promise.all([hearing, monitor, webhooks].map((bus) => bus.stop()));
  });

  it('gives up at the deadline', async () => {
    const [asked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    identity.serve('identity.partner', async () => {
      asked.resolve();
      await mayEnd.promise;
      throw new ApiError('internal_error');
    });
    await identity.connection.flush();
    await expect(
      webhooks.request('identity.partner', { partner_id: 1 }, { deadlineMs: 100 }),
    ).rejects.toMatchObject({ code: 'service_unavailable' });
    await asked.promise;
    mayEnd.resolve();
  });
});
