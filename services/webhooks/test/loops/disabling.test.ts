import type { RequestData } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';

/** 120 hours are 8.64 s. */
const scale = 0.000_02;
const hourMs = 3_600_000 * scale;
const timeoutMs = 60_000;

type Notice = Extract<RequestData<'notifier.send'>, { kind: 'endpoint_failing' }>;

let world: World;
/** Mails by id: the notifier sends each id once. */
const mails = new Map<string, Notice>();
const busy = { refusals: 0 };
const withoutAddress = 5;
let users = 0;

beforeAll(async () => {
  world = await startWorld({ env: { WEBHOOKS_RETRY_SCALE: String(scale) }, replicas: 2 });
  const { identity, notifier } = world.siblings;
  identity.bus.serve('identity.partner', async ({ partner_id: id }) => ({
    id,
    name: 'Partner',
    email: id === withoutAddress ? '' : `office-${id}@example.org`,
    status: 'active',
    logo_url: null,
    notify_unverified: false,
    case_url: null,
    reply_to: null,
    support_contact: null,
    version: 1,
  }));
  notifier.bus.serve('notifier.send', async (mail) => {
    if (mail.kind !== 'endpoint_failing') throw new ApiError('validation_failed');
    if (mail.webhook_id === busy.refusals) {
      busy.refusals = 0;
      throw new ApiError('service_unavailable');
    }
    mails.set(mail.message_id, mail);
    return { accepted: true };
  });
}, timeoutMs);
afterAll(() => world.stop());

async function tell(partner_id: number): Promise<string> {
  users += 1;
  return await world.siblings.identity.publish('user.deleted', { user_id: users, partner_id, version: 2 });
}

const mailsAbout = (webhookId: number) => [...mails.values()].filter((mail) => mail.webhook_id === webhookId);

async function webhookOf(partnerId: number, id: number) {
  const { webhook } = (await world.service.call(partnerId, 'GET', `/v1/webhooks/${id}`)).body;
  if (!webhook) throw new Error(`no webhook ${id}`);
  return webhook;
}

/** Sends events until the condition holds: attempts go on. */
async function tellUntil<T>(partnerId: number, condition: () => Promise<T | false>): Promise<T> {
  return await waitFor(
    async () => {
      await tell(partnerId);
      return await condition();
    },
    { what: 'the end of the events', timeoutMs, intervalMs: 300 },
  );
}

describe('an endpoint that fails', () => {
  it.concurrent(
    'for five days is disabled after two warnings, one mail each, and gets all when it is enabled',
    async () => {
      const id = await world.subscribe(1, 'five-days', { description: 'Case manager' });
      await world.receiver.configure('five-days', { status: 500 });
      await world.subscribe(1, 'witness', { events: ['webhook.disabled', 'user.deleted'] });
      const disabled = await tellUntil(1, async () => {
        const webhook = await webhookOf(1, id);
        return !webhook.active && webhook;
      });
      expect(disabled).toMatchObject({ disabled_reason: 'failing', last_status: 500 });
      const { failing_since: since = null, disabled_at } = disabled;
      expect(Date.parse(disabled_at ?? '') - Date.parse(since ?? '')).toBeGreaterThanOrEqual(120 * hourMs);

      const sent = await waitFor(async () => mailsAbout(id).length === 3 && mailsAbout(id));
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

      const told = await waitFor(async () =>
        (await world.receiver.calls('witness')).find(({ body }) => body.includes('webhook.disabled')),
      );
      expect(JSON.parse(told.body)).toMatchObject({
        type: 'webhook.disabled',
        data: { webhook: { id, active: false, disabled_reason: 'failing' } },
      });

      const later = `evt_${await tell(1)}`;
      const gets = async (hook: string) =>
        (await world.receiver.calls(hook)).some(({ headers }) => headers['webhook-id'] === later);
      await waitFor(async () => await gets('witness'));
      expect(await gets('five-days')).toBe(false);

      await world.receiver.configure('five-days', { status: 200 });
      const path = `/v1/webhooks/${id}`;
      const { body } = await world.service.call(1, 'PUT', path, { active: true });
      expect(body.webhook).toMatchObject({ active: true, failing_since: null, disabled_at: null });
      await waitFor(async () => (await openDeliveries(1, id)) === 0, { what: 'no pending delivery' });
      expect(await webhookOf(1, id)).toMatchObject({ active: true, failing_since: null, last_status: 200 });
      expect(mailsAbout(id)).toHaveLength(3);
    },
    timeoutMs,
  );

  it.concurrent(
    'and then succeeds is warned about anew when it fails again, and not disabled',
    async () => {
      const id = await world.subscribe(2, 'repaired');
      await world.receiver.configure('repaired', { status: 503 });
      await tellUntil(2, async () => mailsAbout(id).length === 1);
      await world.receiver.configure('repaired', { status: 200 });
      await tellUntil(2, async () => (await webhookOf(2, id)).failing_since === null);
      await world.receiver.configure('repaired', { status: 503 });
      await tellUntil(2, async () => mailsAbout(id).length === 2);
      expect(mailsAbout(id).map(({ stage }) => stage)).toEqual(['half', 'half']);
      expect(new Set(mailsAbout(id).map((mail) => mail.failing_since)).size).toBe(2);
      expect(await webhookOf(2, id)).toMatchObject({ active: true, disabled_at: null });
    },
    timeoutMs,
  );

  it.concurrent(
    'with 410 is disabled at once; its mail is asked for until the notifier accepts it',
    async () => {
      const id = await world.subscribe(3, 'gone');
      busy.refusals = id;
      await world.receiver.configure('gone', { status: 410 });
      await tell(3);
      const [mail] = await waitFor(async () => mailsAbout(id).length > 0 && mailsAbout(id));
      expect(busy.refusals).toBe(0);
      expect(mail).toMatchObject({ stage: 'disabled', error: 'http_410', to: 'office-3@example.org' });
      expect(await webhookOf(3, id)).toMatchObject({ active: false, disabled_reason: 'gone' });
    },
    timeoutMs,
  );

  it.concurrent(
    'is disabled too where the partner has no address; no mail is asked for',
    async () => {
      const id = await world.subscribe(withoutAddress, 'nowhere');
      await world.receiver.configure('nowhere', { status: 410 });
      await tell(withoutAddress);
      await waitFor(async () => (await storedNotice(id))?.mailed === true, { what: 'the end of the notice' });
      expect(await storedNotice(id)).toMatchObject({ stage: 'disabled' });
      expect(mailsAbout(id)).toEqual([]);
    },
    timeoutMs,
  );
});

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
