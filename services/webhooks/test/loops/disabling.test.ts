import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';
import { type OwnerMails, serveOwnerMails } from '../support/owner-mails.ts';

/** 120 hours are 13 s. */
const scale = 0.000_03;
const hourMs = 3_600_000 * scale;
const timeoutMs = 180_000;
/** What no signal tells of is found within a minute (lookBackMs). */
const waiting = { timeoutMs: 90_000 };

let world: World;
let mails: OwnerMails;
const withoutAddress = 5;
let users = 0;

beforeAll(async () => {
  world = await startWorld({ env: { WEBHOOKS_RETRY_SCALE: String(scale) }, replicas: 2 });
  mails = serveOwnerMails(world.siblings, withoutAddress);
}, timeoutMs);
afterAll(() => world.stop());

async function publish(partner_id: number): Promise<string> {
  users += 1;
  return await world.siblings.identity.publish('user.deleted', { user_id: users, partner_id, version: 2 });
}

const mailsAbout = (webhookId: number) => mails.about(webhookId);

async function webhookOf(partnerId: number, id: number) {
  const { webhook } = (await world.service.call(partnerId, 'GET', `/v1/webhooks/${id}`)).body;
  if (!webhook) throw new Error(`no webhook ${id}`);
  return webhook;
}

/** Sends events until the condition holds: attempts go on. */
async function publishUntil<T>(partnerId: number, condition: () => Promise<T | false>): Promise<T> {
  return await waitFor(
    async () => {
      await publish(partnerId);
      return await condition();
    },
    { what: 'the end of the events', ...waiting, intervalMs: 600 },
  );
}

describe('an endpoint that fails', () => {
  it(
    'for five days is disabled after two warnings, one mail each, and gets all when it is enabled',
    async () => {
      const id = await world.subscribe(1, 'five-days', { description: 'Case manager' });
      await world.receiver.configure('five-days', { status: 500 });
      await world.subscribe(1, 'witness', { events: ['webhook.disabled', 'user.deleted'] });
      const disabled = await publishUntil(1, async () => {
        const webhook = await webhookOf(1, id);
        return !webhook.active && webhook;
      });
      expect(disabled).toMatchObject({ disabled_reason: 'failing', last_status: 500 });
      const { failing_since: since = null, disabled_at } = disabled;
      expect(Date.parse(disabled_at ?? '') - Date.parse(since ?? '')).toBeGreaterThanOrEqual(120 * hourMs);

      const sent = await waitFor(async () => mailsAbout(id).length === 3 && mailsAbout(id), waiting);
      expect(sent.map(({ stage }) => stage)).toEqual(['half', 'nine_tenths', 'disabled']);
      for (const mail of sent)
        expect(mail).toMatchObject({
          to: 'office-1@example.org',
          host: '127.0.0.1',
          description: 'Case manager',
          failing_since: since,
          error: 'http_500',
        });
      expect(sent[2]?.disabled_at).toBe(disabled_at);
      expect(Date.parse(sent[0]?.disabled_at ?? '') - Date.parse(since ?? '')).toBe(120 * hourMs);

      const notified = await waitFor(
        async () =>
          (await world.receiver.calls('witness')).find(({ body }) => body.includes('webhook.disabled')),
        { what: 'the event', ...waiting },
      );
      expect(JSON.parse(notified.body)).toMatchObject({
        type: 'webhook.disabled',
        data: { webhook: { id, active: false, disabled_reason: 'failing' } },
      });

      const later = `evt_${await publish(1)}`;
      await waitFor(async () => (await receivedBy('witness')).includes(later), waiting);
      expect(await receivedBy('five-days')).not.toContain(later);

      await world.receiver.configure('five-days', { status: 200 });
      const path = `/v1/webhooks/${id}`;
      const { body } = await world.service.call(1, 'PUT', path, { active: true });
      expect(body.webhook).toMatchObject({ active: true, failing_since: null, disabled_at: null });
      await waitFor(async () => (await openDeliveries(1, id)) === 0, {
        what: 'no pending delivery',
        ...waiting,
      });
      const last = `evt_${await publish(1)}`;
      await waitFor(async () => (await receivedBy('five-days')).includes(last), waiting);
      await waitFor(async () => (await webhookOf(1, id)).last_status === 200, {
        what: 'the success',
        ...waiting,
      });
      expect(await webhookOf(1, id)).toMatchObject({ active: true, failing_since: null });
      expect(mailsAbout(id)).toHaveLength(3);
    },
    timeoutMs,
  );

  it(
    'for five days and is repaired gets all by replays; GET /v1/events proves that nothing is missing',
    async () => {
      const began = new Date();
      const id = await world.subscribe(6, 'repaired-later', { events: ['user.deleted'] });
      const first = `evt_${await publish(6)}`;
      await waitFor(async () => (await receivedBy('repaired-later')).includes(first), waiting);
      await world.receiver.configure('repaired-later', { status: 500 });
      await publishUntil(6, async () => !(await webhookOf(6, id)).active);
      const whileDisabled = `evt_${await publish(6)}`;
      await waitFor(async () => (await eventsSince(6, began)).includes(whileDisabled), waiting);

      const repaired = new Date();
      await world.receiver.configure('repaired-later', { status: 200 });
      await world.service.call(6, 'PUT', `/v1/webhooks/${id}`, { active: true });
      const period = { since: began.toISOString(), until: repaired.toISOString() };
      await replayed(6, id, { ...period, status: 'failed' });
      const { queued } = await replayed(6, id, { ...period, status: 'missing' });
      expect(queued).toBeGreaterThan(0);

      const events = await eventsSince(6, began);
      const accepted = async () => {
        const calls = await world.receiver.calls('repaired-later');
        const later = calls.filter(({ received_at }) => new Date(received_at) >= repaired);
        return new Set([first, ...later.map(({ headers }) => headers['webhook-id'])]);
      };
      await waitFor(async () => (await accepted()).size >= events.length, waiting);
      expect([...(await accepted())].sort()).toEqual(events.sort());
    },
    timeoutMs,
  );

  it(
    'and then succeeds gets its first warning again when it fails again, and is not disabled',
    async () => {
      const id = await world.subscribe(2, 'repaired');
      await world.receiver.configure('repaired', { status: 503 });
      await publishUntil(2, async () => mailsAbout(id).length === 1);
      await world.receiver.configure('repaired', { status: 200 });
      await publishUntil(2, async () => (await webhookOf(2, id)).failing_since === null);
      await world.receiver.configure('repaired', { status: 503 });
      const [first] = mailsAbout(id);
      const ofLater = () => mailsAbout(id).filter((mail) => mail.failing_since !== first?.failing_since);
      await publishUntil(2, async () => ofLater().length > 0);
      expect([first?.stage, ofLater()[0]?.stage]).toEqual(['half', 'half']);
      expect(await webhookOf(2, id)).toMatchObject({ active: true, disabled_at: null });
    },
    timeoutMs,
  );

  it(
    'with 410 is disabled at once; its mail is asked for until the notifier accepts it',
    async () => {
      const id = await world.subscribe(3, 'gone');
      mails.refuseNext(id);
      await world.receiver.configure('gone', { status: 410 });
      await publish(3);
      const [mail] = await waitFor(async () => mailsAbout(id).length > 0 && mailsAbout(id), waiting);
      expect(mails.hasRefused()).toBe(true);
      expect(mail).toMatchObject({ stage: 'disabled', error: 'http_410', to: 'office-3@example.org' });
      expect(await webhookOf(3, id)).toMatchObject({ active: false, disabled_reason: 'gone' });
    },
    timeoutMs,
  );

  it(
    'is disabled too where the partner has no address; no mail is asked for',
    async () => {
      const id = await world.subscribe(withoutAddress, 'nowhere');
      await world.receiver.configure('nowhere', { status: 410 });
      await publish(withoutAddress);
      await waitFor(async () => (await storedNotice(id))?.mailed === true, {
        what: 'the end of the notice',
        ...waiting,
      });
      expect(await storedNotice(id)).toMatchObject({ stage: 'disabled' });
      expect(mailsAbout(id)).toEqual([]);
    },
    timeoutMs,
  );
});

async function receivedBy(hook: string) {
  return (await world.receiver.calls(hook)).map(({ headers }) => headers['webhook-id']);
}

/** Runs a replay to its end. */
async function replayed(partnerId: number, id: number, body: object) {
  const path = `/v1/webhooks/${id}`;
  const { task } = (await world.service.call(partnerId, 'POST', `${path}/replay`, body)).body;
  return await waitFor(
    async () => {
      const { body } = await world.service.call(partnerId, 'GET', `${path}/tasks/${task?.id}`);
      return body.task?.status === 'completed' && body.task;
    },
    { what: 'the end of the replay', ...waiting },
  );
}

/** Ids of the partner's events, from all pages of GET /v1/events. */
async function eventsSince(partnerId: number, since: Date): Promise<string[]> {
  const ids: string[] = [];
  for (let next = `since=${since.toISOString()}`; ; ) {
    const path = `/v1/events?type=user.deleted&limit=20&${next}`;
    const { events = [], has_more, next_cursor } = (await world.service.call(partnerId, 'GET', path)).body;
    ids.push(...events.map(({ id }) => id));
    if (!has_more) return ids;
    next = `since=${since.toISOString()}&cursor=${next_cursor}`;
  }
}

async function openDeliveries(partnerId: number, id: number): Promise<number> {
  const path = `/v1/webhooks/${id}/deliveries?status=pending`;
  return (await world.service.call(partnerId, 'GET', path)).body.deliveries?.length ?? 0;
}

async function storedNotice(id: number) {
  const rows = JSON.parse(await world.service.stored('webhooks')) as {
    _id: number;
    notice?: { stage: string; mailed: boolean };
  }[];
  return rows.find(({ _id }) => _id === id)?.notice;
}
