import { createHmac } from 'node:crypto';
import type { ErrorCode } from '@casewatch/contracts';
import { approved, inMail, received, setFaults, setReceipt } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { Webhook } from 'standardwebhooks';
import { noId } from './stand-ins.ts';
import { ana, joao, type Row, type Story, settingsOf, users } from './story.ts';

const keys = '/v1/client/keys';
const unsubscribe = '/v1/unsubscribe';
const unsubscribeLink = /\/v1\/unsubscribe\?token=([^\s>)]+)/;

const receiptOf = (nth: number) => `EAC99${String(nth).padStart(8, '0')}`;
const newCase = (receipt_number: string, more = {}) => ({
  receipt_number,
  uscis_access_acknowledged: true,
  ...more,
});

export async function apiKeys({ recorder, firm, byFirm }: Story): Promise<void> {
  const { shows, fails } = recorder;
  await fails('revoke_key', 'last_key', byFirm(`${keys}/${firm.key_id}`));
  const soon = { overlap_seconds: 0, expires_at: new Date(Date.now() + 60_000).toISOString() };
  await fails('rotate_key', 'last_key', byFirm(`${keys}/${firm.key_id}/rotate`, soon));
  const body = { name: 'Web server', allowed_ips: ['127.0.0.0/8'] };
  const { key } = await shows('create_key', byFirm(keys, body));
  await shows('list_keys', byFirm(`${keys}?limit=2`));
  await fails('create_key', 'key_limit_reached', byFirm(keys, { name: 'Third server' }));
  const rotate = { overlap_seconds: 0 };
  const rotated = await shows('rotate_key', byFirm(`${keys}/${(key as Row).id}/rotate`, rotate));
  await fails('rotate_key', 'key_not_found', byFirm(`${keys}/${noId}/rotate`, {}));
  await shows('revoke_key', byFirm(`${keys}/${(rotated.key as Row).id}`));
  const link = { actor: 'maria.lopes@firm.example', expires_in: 28_800 };
  await shows('create_console_link', byFirm('/v1/client/console-links', link));
}

export async function cases(story: Story): Promise<void> {
  const { dev, recorder, byFirm, setUp } = story;
  const { shows, fails } = recorder;
  const { id, as } = story.client;
  const path = `/v1/users/${id}/cases`;
  const byPartner = `${users}/${id}/cases`;
  await shows('update_user', { as, path: `/v1/users/${id}`, body: { notify_by_whatsapp: true } });
  for (const nth of [1, 2, 3]) await setReceipt(dev, receiptOf(nth), received);
  await shows('check', byFirm('/v1/check', { receipt_number: receiptOf(1) }));
  const first = newCase(receiptOf(1), { description: 'I-130 of the family' });
  const created = await shows('create_partner_case', byFirm(byPartner, first));
  await fails('create_partner_case', 'case_already_monitored', byFirm(byPartner, first));
  const ofFirm = (created.case as Row).id;

  const second = newCase(receiptOf(2), { description: 'I-485 of the spouse' });
  const { case: ofAna } = await shows('create_case', { as, path, body: second });
  await shows('update_case', byFirm(`${path}/${(ofAna as Row).id}`, { active: false }));
  await shows('delete_case', { as, path: `${path}/${(ofAna as Row).id}` });
  await fails('delete_case', 'case_not_found', { as, path: `${path}/${noId}` });

  const reference = { reference: '2024-118' };
  await shows('update_partner_case', byFirm(`/v1/client/cases/${ofFirm}`, reference));
  const ofOther = { respond_done: true, status_update_id: Number(noId) };
  await fails('update_partner_case', 'status_changed', byFirm(`/v1/client/cases/${ofFirm}`, ofOther));
  const third = await setUp<{ case: Row }>('POST', byPartner, newCase(receiptOf(3)));
  const bulk = { case_refs: [String(third.case.id), 'FLOW999999999'], action: 'pause' };
  await shows('change_partner_cases', byFirm('/v1/client/cases/bulk', bulk));
  const assign = { case_refs: [String(ofFirm)], action: 'assign', assignee_id: noId };
  await fails('change_partner_cases', 'staff_not_found', byFirm('/v1/client/cases/bulk', assign));
  await shows('delete_partner_case', byFirm(`/v1/client/cases/${third.case.id}`));
  await fails('delete_partner_case', 'case_not_found', byFirm(`/v1/client/cases/${noId}`));

  await waitFor(async () => (await read()).monitoring.next_check_at, { what: 'the next check' });
  await shows('list_partner_cases', byFirm(`/v1/client/cases?user_id=${id}`));
  await shows('list_cases', { as, path });
  await setReceipt(dev, receiptOf(1), approved);
  await waitFor(isNotified, { timeoutMs: 60_000, what: 'both notifications' });
  await shows('get_partner_case', byFirm(`/v1/client/cases/${ofFirm}`));
  await shows('list_changes', byFirm('/v1/client/changes?limit=1'));
  const { changes } = await setUp<{ changes: Row[] }>('GET', '/v1/client/changes?limit=1');
  const review = { ids: changes.map((change) => change.id), reviewed: true };
  await shows('review_changes', byFirm('/v1/client/changes/review', review));
  await fails(
    'review_changes',
    'change_not_found',
    byFirm('/v1/client/changes/review', { ids: [noId], reviewed: true }),
  );
  await shows('list_acknowledgements', byFirm(`/v1/client/cases/${ofFirm}/acknowledgements`));
  const deliveries = `/v1/client/cases/${ofFirm}/deliveries`;
  await waitFor(async () => (await statesOf(deliveries))[0] === 'delivered', { what: 'the delivery' });
  await shows('list_case_deliveries', byFirm(deliveries));
  await shows('get_statistics', byFirm('/v1/client/statistics'), onlyNewest);
  await shows('get_case', { as, path: `${path}/${ofFirm}` });

  type Read = { monitoring: { next_check_at: string | null }; status_updates: Record<string, unknown>[] };
  function read(): Promise<Read> {
    return setUp<Read>('GET', `/v1/client/cases/${ofFirm}`);
  }

  async function statesOf(list: string): Promise<string[]> {
    const { deliveries: rows } = await setUp<{ deliveries: { status: string }[] }>('GET', list);
    return rows.map(({ status }) => status);
  }

  async function isNotified(): Promise<boolean> {
    const [update] = (await read()).status_updates;
    return update?.email_notify_status === 'sent' && update.whatsapp_notify_status === 'delivered';
  }
}

function onlyNewest(body: unknown): unknown {
  const { hours, days } = body as { hours: object[]; days: object[] };
  return { hours: hours.slice(-1), days: days.slice(-1) };
}

export async function failingCases({ dev, recorder, byFirm, setUp, newUser, client }: Story): Promise<void> {
  const fails = (code: ErrorCode, body: unknown, userId = client.id) =>
    recorder.fails('create_partner_case', code, byFirm(`${users}/${userId}/cases`, body));
  await fails('invalid_receipt_number', newCase('EAC12'));
  await fails('uscis_access_not_acknowledged', { receipt_number: receiptOf(3) });
  await fails('receipt_number_rejected', newCase('XXX9999103403'));
  await setFaults(dev, { mode: 'status', status: 503, receipts: [receiptOf(4)] });
  await fails('uscis_unavailable', newCase(receiptOf(4)));
  await setFaults(dev, { mode: 'none' });
  await recorder.fails(
    'check',
    'status_not_available',
    byFirm('/v1/check', { receipt_number: receiptOf(5) }),
  );

  const { id } = await newUser(joao);
  const unchecked = { first_check: 'deferred' };
  for (let nth = 0; nth < 50; nth++)
    await setUp('POST', `${users}/${id}/cases`, newCase(receiptOf(100 + nth), unchecked));
  await fails('case_limit_reached', newCase(receiptOf(3)), id);
  await setUp('PUT', `${users}/${id}`, { status: 'inactive' });
  await fails('user_not_active', newCase(receiptOf(3)), id);
}

export async function unsubscribing({ dev, recorder, byFirm, setUp, client: { id } }: Story): Promise<void> {
  const { shows, fails } = recorder;
  const form = { 'List-Unsubscribe': 'One-Click' };
  const path = `${unsubscribe}?token=${await inMail(dev, ana.email, unsubscribeLink)}`;
  const wrong = `${unsubscribe}?token=not-a-token`;
  await shows('unsubscribe_page', { path });
  await shows('unsubscribe', { path, form });
  await fails('unsubscribe_page', 'invalid_verification_token', { path: wrong });
  await fails('unsubscribe', 'invalid_verification_token', { path: wrong, form });
  const read = () => setUp<{ user: { notify_by_email: boolean } }>('GET', `${users}/${id}`);
  await waitFor(async () => !(await read()).user.notify_by_email, { what: 'the end of e-mails' });
  await shows('list_suppressions', byFirm(`/v1/client/suppressions?user_id=${id}`));
  const change = { notify_by_email: true };
  await fails('update_partner_user', 'opted_out_by_user', byFirm(`${users}/${id}`, change));
}

export async function emailCallbacks(story: Story): Promise<void> {
  const path = '/v1/callbacks/email/resend';
  const body = {
    type: 'email.bounced',
    created_at: '2026-11-21T10:00:00.000Z',
    data: { to: ['nobody@example.com'], bounce: { type: 'Permanent', message: 'no such mailbox' } },
  };
  const secret = settingsOf(story, 'notifier').MAIL_CALLBACK_RESEND_SECRET ?? '';
  const at = new Date();
  const headers = {
    'svix-id': 'msg_1',
    'svix-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'svix-signature': new Webhook(secret).sign('msg_1', at, JSON.stringify(body)),
  };
  await story.recorder.shows('email_callback', { path, body, headers });
  await story.recorder.fails('email_callback', 'invalid_signature', { path, body });
}

export async function twilioCallbacks(story: Story): Promise<void> {
  const path = '/v1/callbacks/twilio';
  const form = { MessageSid: 'SM00000000000000000000000000000001', MessageStatus: 'delivered' };
  // Twilio signs the address, then the name and value of every field in alphabetical order.
  const signed = story.dev.gateway_url + path + Object.entries(form).sort().flat().join('');
  const secret = settingsOf(story, 'notifier').TWILIO_AUTH_TOKEN ?? '';
  const signature = createHmac('sha1', secret).update(signed).digest('base64');
  const headers = { 'x-twilio-signature': signature };
  await story.recorder.shows('twilio_callback', { path, form, headers });
  await story.recorder.fails('twilio_callback', 'invalid_signature', { path, form });
}
