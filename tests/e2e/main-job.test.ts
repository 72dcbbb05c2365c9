import { randomInt } from 'node:crypto';
import {
  approved,
  createPartner,
  hooksOf,
  mailsTo,
  messagesTo,
  newReceipt,
  type Partner,
  readJson,
  received,
  setReceipt as set,
  setFaults,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { caseOfEvent } from '../support/case-of-event.ts';
import { readCase } from '../support/read-case.ts';
import { type System, sharedSystem } from '../support/system.ts';

describe('the main job, from outside', () => {
  let system: System;
  let partner: Partner;
  let call: Partner['call'];
  beforeAll(async () => {
    system = await sharedSystem();
    partner = createPartner(system.dev(), system.dev().partner);
    call = partner.call;
  });

  const setReceipt = (receipt: string, state: object) => set(system.dev(), receipt, state);
  const createCase = (user: number, receipt_number: string, more = {}) =>
    call('POST', `/v1/client/users/${user}/cases`, {
      receipt_number,
      uscis_access_acknowledged: true,
      ...more,
    });

  it('carries a change from the government to the case, the mail, the message and the webhook', async () => {
    const dev = system.dev();
    const hookName = `main-job-${randomInt(1_000_000)}`;
    const hook = await partner.newWebhook(hookName);
    const phone = `+1202555${randomInt(1_000, 10_000)}`;
    const user = await partner.verifiedUser({ preferred_language: 'es', phone, notify_by_whatsapp: true });
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
    const messages = await messagesTo(dev, phone);
    expect(messages).toHaveLength(1);
    expect(Object.values(messages[0]?.content_variables ?? {})).toContain(receipt.slice(-4));

    const hooks = await waitFor(
      async () => {
        const calls = await hooksOf(dev, hookName);
        const ours = calls.filter(({ body }) => caseOfEvent(body) === id);
        return ours.length > 0 && ours;
      },
      { what: 'the webhook' },
    );
    expect(hooks).toHaveLength(1);
    const { headers, body } = hooks[0] as (typeof hooks)[number];
    const event = new Webhook(hook.secret).verify(body, headers) as {
      type: string;
      data: { case: { id: number }; previous_status_code: string };
    };
    expect([event.type, event.data.case.id, event.data.previous_status_code]).toEqual([
      'case.status_updated',
      id,
      'Case Was Received',
    ]);
    await call('DELETE', `/v1/webhooks/${hook.id}`);
  });

  it('changes nothing and sends nothing when the same content is set again', async () => {
    const dev = system.dev();
    const user = await partner.verifiedUser();
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
    const user = await partner.verifiedUser({ notify_by_email: false });
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
    const user = await partner.verifiedUser();
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
    const other = createPartner(dev, dev.other_partner);
    expect(outcome(await other.call('GET', `/v1/client/users/${user.id}`))).toEqual([404, 'user_not_found']);
    const wrong = createPartner(dev, { ...dev.partner, api_secret: dev.other_partner.api_secret });
    expect(outcome(await wrong.call('GET', '/v1/client/users'))).toEqual([401, 'invalid_api_key']);
    await call('PUT', `/v1/client/users/${user.id}`, { status: 'inactive' });
    expect(outcome(await createCase(user.id, newReceipt()))).toEqual([403, 'user_not_active']);
  });

  it('stores nothing when the government cannot be asked, and says so with 503', async () => {
    const dev = system.dev();
    const user = await partner.verifiedUser();
    const receipt = newReceipt();
    await setFaults(dev, { mode: 'status', status: 503, receipts: [receipt] });
    const refused = await createCase(user.id, receipt);
    await setFaults(dev, { mode: 'none' });
    expect([refused.status, refused.body.code]).toEqual([503, 'uscis_unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call('GET', `/v1/client/cases?user_id=${user.id}`)).body.cases).toEqual([]);
  });
});
