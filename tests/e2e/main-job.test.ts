import { randomInt } from 'node:crypto';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  approved,
  mailsTo,
  newReceipt,
  type PartnerClient,
  partnerClient,
  readCase,
  readJson,
  received,
  tell,
  verifiedUser,
} from '../support/partner-client.ts';
import { type System, startSystem } from '../support/system.ts';

type Hook = { headers: Record<string, string>; body: string };
type Message = { to: string; content_variables: Record<string, string> };

describe('the main job, from outside', () => {
  let system: System;
  let call: PartnerClient;
  beforeAll(async () => {
    system = await startSystem();
    call = partnerClient(system.dev());
  }, 180_000);
  afterAll(async () => {
    expect(await system.stop()).toBe(0);
  }, 60_000);

  const setReceipt = (receipt: string, state: unknown) =>
    tell(`${system.dev().uscis_url}/sandbox/receipts/${receipt}`, state);
  const createCase = (user: number, receipt_number: string, more = {}) =>
    call('POST', `/v1/client/users/${user}/cases`, {
      receipt_number,
      uscis_access_acknowledged: true,
      ...more,
    });

  it('carries a change from the government to the case, the mail, the message and the webhook', async () => {
    const dev = system.dev();
    const hookName = `main-job-${randomInt(1_000_000)}`;
    const hook = await call('POST', '/v1/webhooks', {
      url: `${dev.receiver_url}/hooks/${hookName}`,
      events: ['case.status_updated'],
    });
    const { secret } = hook.body.webhook as { secret: string };
    const phone = `+1202555${randomInt(1_000, 10_000)}`;
    const user = await verifiedUser(dev, call, { preferred_language: 'es', phone, notify_by_whatsapp: true });
    const receipt = newReceipt();
    await setReceipt(receipt, received);

    const created = await createCase(user.id, receipt, { description: 'Petition' });
    expect([created.status, created.body.update_count]).toEqual([201, 1]);
    const skipped = { email_notify_status: 'skipped', whatsapp_notify_status: 'skipped', notified: 0 };
    expect(created.body.status_updates).toEqual([
      expect.objectContaining({ ...skipped, status_code: 'Case Was Received', kind: 'baseline' }),
    ]);
    const id = (created.body.case as { id: number }).id;

    await setReceipt(receipt, approved);
    await waitFor(async () => (await readCase(call, id)).update_count === 2, {
      timeoutMs: 5_000,
      what: 'the second update',
    });
    const done = await waitFor(
      async () => {
        const [update] = (await readCase(call, id)).status_updates;
        return (
          /sent|delivered/.test(String(update?.email_notify_status)) &&
          update?.whatsapp_notify_status === 'delivered' &&
          update
        );
      },
      { what: 'both channels' },
    );
    expect(done).toMatchObject({
      status_code: 'Case Was Approved',
      status_code_es: 'Caso Fue Aprobado',
      kind: 'status',
      notified: 1,
      email_notify_attempts: 1,
      whatsapp_notify_attempts: 1,
      email_notify_last_error: null,
    });
    expect(done.email_notify_sent_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

    const mail = (await mailsTo(dev, user.email)).at(-1);
    expect(mail?.subject).toContain(receipt.slice(-4));
    expect(mail?.text).toContain('Caso Fue Aprobado');
    expect(mail?.text).not.toContain(receipt);
    const messages = await readJson<Message[]>(
      `${dev.twilio_url}/sandbox/messages?to=${encodeURIComponent(phone)}`,
    );
    expect(messages).toHaveLength(1);
    expect(Object.values(messages[0]?.content_variables ?? {})).toContain(receipt.slice(-4));

    const hooks = await waitFor(
      async () => {
        const calls = await readJson<Hook[]>(`${dev.receiver_url}/sandbox/hooks/${hookName}`);
        const ours = calls.filter(({ body }) => JSON.parse(body).data.case.id === id);
        return ours.length > 0 && ours;
      },
      { what: 'the webhook' },
    );
    expect(hooks).toHaveLength(1);
    const [{ headers, body }] = hooks as [Hook];
    const event = new Webhook(secret).verify(body, headers) as {
      type: string;
      data: { case: { id: number }; previous_status_code: string };
    };
    expect([event.type, event.data.case.id, event.data.previous_status_code]).toEqual([
      'case.status_updated',
      id,
      'Case Was Received',
    ]);
    const { id: hookId } = hook.body.webhook as { id: number };
    await call('DELETE', `/v1/webhooks/${hookId}`);
  });

  it('changes nothing and sends nothing when the same content is set again', async () => {
    const dev = system.dev();
    const user = await verifiedUser(dev, call);
    const receipt = newReceipt();
    await setReceipt(receipt, received);
    const { body } = await createCase(user.id, receipt);
    const id = (body.case as { id: number }).id;
    const mailsBefore = (await mailsTo(dev, user.email)).length;
    await setReceipt(receipt, received);
    const since = (await checksOf(receipt)).length;
    await waitFor(async () => (await checksOf(receipt)).length >= since + 2, {
      timeoutMs: 20_000,
      what: 'two more checks',
    });
    expect((await readCase(call, id)).update_count).toBe(1);
    expect(await mailsTo(dev, user.email)).toHaveLength(mailsBefore);
  });

  const checksOf = (receipt: string) =>
    readJson<{ status: number }[]>(`${system.dev().uscis_url}/sandbox/requests?receipt=${receipt}`);

  it('skips the channel that the person does not want', async () => {
    const user = await verifiedUser(system.dev(), call, { notify_by_email: false });
    const receipt = newReceipt();
    await setReceipt(receipt, received);
    const { body } = await createCase(user.id, receipt);
    await setReceipt(receipt, approved);
    const update = await waitFor(
      async () => {
        const [newest, ...older] = (await readCase(call, (body.case as { id: number }).id)).status_updates;
        return older.length === 1 && newest?.email_notify_status === 'skipped' && newest;
      },
      { what: 'the skipped update' },
    );
    expect(update).toMatchObject({
      email_notify_attempts: 0,
      notified: 0,
      email_notify_last_error: expect.stringMatching(/^channel_disabled/),
    });
  });

  it('refuses what must be refused, with the code that says why', async () => {
    const dev = system.dev();
    const user = await verifiedUser(dev, call);
    const receipt = newReceipt();
    await setReceipt(receipt, received);
    const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
      status,
      body.code,
    ];

    expect(
      outcome(await call('POST', `/v1/client/users/${user.id}/cases`, { receipt_number: receipt })),
    ).toEqual([400, 'uscis_access_not_acknowledged']);
    expect((await createCase(user.id, receipt)).status).toBe(201);
    expect(outcome(await createCase(user.id, receipt))).toEqual([409, 'case_already_monitored']);
    const other = partnerClient(dev, dev.other_partner);
    expect(outcome(await other('GET', `/v1/client/users/${user.id}`))).toEqual([404, 'user_not_found']);
    const wrong = partnerClient(dev, { ...dev.partner, api_secret: dev.other_partner.api_secret });
    expect(outcome(await wrong('GET', '/v1/client/users'))).toEqual([401, 'invalid_api_key']);
    await call('PUT', `/v1/client/users/${user.id}`, { status: 'inactive' });
    expect(outcome(await createCase(user.id, newReceipt()))).toEqual([403, 'user_not_active']);
  });

  it('stores nothing when the government cannot be asked, and says so with 503', async () => {
    const dev = system.dev();
    const user = await verifiedUser(dev, call);
    const receipt = newReceipt();
    await tell(`${dev.uscis_url}/sandbox/faults`, { mode: 'status', status: 503, receipts: [receipt] });
    const refused = await createCase(user.id, receipt);
    await tell(`${dev.uscis_url}/sandbox/faults`, { mode: 'none' });
    expect([refused.status, refused.body.code]).toEqual([503, 'uscis_unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call('GET', `/v1/client/cases?user_id=${user.id}`)).body.cases).toEqual([]);
  });
});
