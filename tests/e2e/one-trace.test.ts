import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  approved,
  createPartner,
  hooksOf,
  keyHeaders,
  mailsTo,
  messagesTo,
  newReceipt,
  type Partner,
  received,
  send,
  setReceipt,
  tell,
  titled,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { caseOfEvent } from '../support/case-of-event.ts';
import { explainCase } from '../support/explain-case.ts';
import { createPersonBrowser } from '../support/person-browser.ts';
import { invitationTo } from '../support/staff.ts';
import {
  type DevFile,
  describeOwnSystem,
  pidOf,
  type System,
  sharedLimitedSystem,
} from '../support/system.ts';
import {
  allSpans,
  expectOneTrace,
  nameOf,
  type Span,
  spansOf,
  spansOfChange,
  wholeTrace,
} from '../support/traces.ts';

let system: System;
let dev: DevFile;
let partner: Partner;
const hookName = 'one-trace';
/** Values that must be in no span, metric or log line. */
const canaries: string[] = [];
const canary = <T extends string>(value: T): T => {
  canaries.push(value);
  return value;
};

beforeAll(async () => {
  system = await sharedLimitedSystem();
  dev = system.dev();
  partner = createPartner(dev, dev.partner);
  canary(dev.partner.api_secret);
  canary((await partner.newWebhook(hookName, ['*'])).secret);
});

/** A POST whose trace can be found: its traceparent comes from outside, and is linked. */
async function tracedPost(path: string, body: object) {
  const outside = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${outside}-${randomBytes(8).toString('hex')}-01` };
  const answer = await send(dev, 'POST', { as: keyHeaders(dev.partner), path, body, headers });
  expect(answer.status).toBe(201);
  const root = await waitFor(async () => (await allSpans(dev)).find(({ links }) => links.includes(outside)), {
    timeoutMs: 30_000,
    what: 'the root span',
  });
  expect(root.parent_id).toBeNull();
  expect(root.trace_id).not.toBe(outside);
  expect(await spansOf(dev, outside)).toEqual([]);
  return { body: answer.body, traceId: root.trace_id };
}

async function traceOfHook(caseId: number, status: string): Promise<string> {
  const { headers } = await hookWith(caseId, 'case.status_updated', status);
  return String(headers.traceparent).slice(3, 35);
}

async function hookWith(caseId: number, type: string, text: string) {
  const isWanted = ({ body }: { body: string }) =>
    body.includes(`"${type}"`) && body.includes(text) && caseOfEvent(body) === caseId;
  return await waitFor(async () => (await hooksOf(dev, hookName)).find(isWanted), {
    timeoutMs: 60_000,
    what: `${type} of case ${caseId}`,
  });
}

async function person() {
  const email = canary(`clara.${randomBytes(6).toString('hex')}@trace.example`);
  const phone = canary(`+1202555${randomInt(1_000, 10_000)}`);
  const name = canary(`Clara ${randomBytes(6).toString('hex')}`);
  const receipt = canary(newReceipt());
  await setReceipt(dev, receipt, received);
  const fields = { email, name, phone, notify_by_whatsapp: true };
  const user = await partner.verifiedUser(fields);
  return { ...user, phone, receipt };
}

async function watchedCase() {
  const user = await person();
  const { id } = await partner.newCase(user.id, user.receipt);
  return { ...user, caseId: id };
}

describeOwnSystem('one trace', () => {
  it("goes from a partner's POST over every service to the webhook and the mail", async () => {
    const email = canary(`ana.${randomBytes(6).toString('hex')}@trace.example`);
    const user = await tracedPost('/v1/client/users', { email, name: canary('Ana Tracewell') });
    const ofUser = await wholeTrace(dev, user.traceId, [
      'gateway: forward create_partner_user',
      'identity: POST /v1/client/users',
      'identity: publish user.created',
      'identity: request notifier.send',
      'notifier: respond notifier.send',
      'notifier: send mail',
      'webhooks: process user.created',
      'webhooks: deliver webhook',
    ]);
    expectOneTrace(ofUser, 'gateway: POST /v1/client/users');
    const receipt = canary(newReceipt());
    await setReceipt(dev, receipt, received);
    const { id } = user.body.user as { id: number };
    const body = { receipt_number: receipt, uscis_access_acknowledged: true };
    const created = await tracedPost(`/v1/client/users/${id}/cases`, body);
    const ofCase = await wholeTrace(dev, created.traceId, [
      'gateway: forward create_partner_case',
      'cases: request monitor.check',
      'monitor: respond monitor.check',
      'monitor: GET case-status',
      'cases: publish case.created',
      'monitor: process case.created',
      'webhooks: process case.created',
      'webhooks: deliver webhook',
    ]);
    expectOneTrace(ofCase, 'gateway: POST /v1/client/users/{user_id}/cases');
    expect(ofCase.filter(({ is_error }) => is_error).map(nameOf)).toEqual([]);
  });

  it('goes from the check that sees a change to the mail, the message and the webhook', async () => {
    const { receipt, caseId, email, phone } = await watchedCase();
    await setReceipt(dev, receipt, approved);
    const traceId = await traceOfHook(caseId, 'Case Was Approved');
    const spans = await wholeTrace(dev, traceId, spansOfChange());
    expectOneTrace(spans, 'monitor: check receipt');
    expect((await mailsTo(dev, email)).length).toBeGreaterThan(1);
    expect(await messagesTo(dev, phone)).toHaveLength(1);
    const delivery = spans.find(({ name }) => name === 'deliver webhook');
    const [call] = (await hooksOf(dev, hookName)).filter(({ body }) => body.includes('Case Was Approved'));
    expect(spans.map(({ span_id }) => span_id)).toContain(String(call?.headers.traceparent).slice(36, 52));
    expect(delivery?.attributes['http.response.status_code']).toBe('200');
  });

  it('is named where an operator asks what happened to a case', async () => {
    const { receipt, caseId } = await watchedCase();
    await setReceipt(dev, receipt, approved);
    const traceId = await traceOfHook(caseId, 'Case Was Approved');
    await wholeTrace(dev, traceId, spansOfChange());
    const steps = await explainCase(system, receipt);
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).sort());
    const told = steps.map(({ service, text }) => `${service}: ${text}`).join('\n');
    expect(told).toMatch(/cases: case \d+ created/);
    expect(told).toMatch(/monitor: observation 2, status: Case Was Approved/);
    expect(told).toMatch(/notifier: notification \d+:email accepted by the provider/);
    expect(told).toMatch(/webhooks: endpoint \d+, attempt 1: 200/);
    const traced = steps.filter(({ trace_id }) => trace_id === traceId);
    expect(new Set(traced.map(({ service }) => service))).toEqual(new Set(['notifier', 'webhooks']));
    await expect(explainCase(system, '99999999')).rejects.toThrow('There is no such case.');
  });

  it('has each attempt of a mail that is sent again', async () => {
    const { receipt, caseId, email } = await watchedCase();
    const faults = `${dev.mail_url}/sandbox/faults`;
    await tell(faults, { mode: 'greylist', code: 451, to: email });
    await setReceipt(dev, receipt, titled('Case Is Being Actively Reviewed By USCIS'));
    const traceId = await traceOfHook(caseId, 'Case Is Being Actively Reviewed');
    const sends = async () => (await spansOf(dev, traceId)).filter(({ name }) => name === 'send email');
    await waitFor(async () => (await sends()).length > 0, { timeoutMs: 30_000, what: 'a refused attempt' });
    await tell(faults, { mode: 'none' });
    await waitFor(async () => (await sends()).some(({ is_error }) => !is_error), {
      timeoutMs: 90_000,
      intervalMs: 200,
      what: 'an accepted attempt',
    });
    const spans = await wholeTrace(dev, traceId, spansOfChange('notifier: send email'));
    expectOneTrace(spans, 'monitor: check receipt');
    const attempts = spans
      .filter(({ name }) => name === 'send email')
      .sort((a, b) => a.start_ms - b.start_ms);
    expect(attempts[0]?.attributes['casewatch.outcome']).toBe('transient');
    expect(attempts.at(-1)?.attributes['casewatch.outcome']).toBe('accepted');
  });

  it('has each delivery of an event that its service could not handle at first', async () => {
    const { receipt, caseId } = await watchedCase();
    // Later the frozen cases could not publish it, and nothing would be checked.
    await hookWith(caseId, 'case.created', '');
    const pid = pidOf(system, 'cases');
    process.kill(pid, 'SIGSTOP');
    const failed = async () =>
      (await allSpans(dev)).find(
        ({ service, name, is_error }) =>
          service === 'webhooks' && name === 'process status.updated' && is_error,
      );
    let first: Span;
    try {
      await setReceipt(dev, receipt, titled('Fingerprint Fee Was Received'));
      first = await waitFor(failed, { timeoutMs: 60_000, intervalMs: 200, what: 'a failed delivery' });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    const traceId = await traceOfHook(caseId, 'Fingerprint Fee Was Received');
    expect(first.trace_id).toBe(traceId);
    const spans = await wholeTrace(dev, traceId, spansOfChange('webhooks: process status.updated'));
    expectOneTrace(spans, 'monitor: check receipt');
    const handled = spans.filter(({ service, name }) => service === 'webhooks' && name === first.name);
    expect(new Set(handled.map(({ parent_id }) => parent_id)).size).toBe(1);
    expect(
      handled
        .map(({ attributes }) => attributes['casewatch.delivery'])
        .sort()
        .slice(0, 2),
    ).toEqual(['1', '2']);
  });

  it('names the route of a calendar, whose address is a secret', async () => {
    const email = canary(`calendar.${randomBytes(6).toString('hex')}@firm.example`);
    const member = { email, name: 'Carla Calendar', role: 'viewer' };
    expect((await partner.call('POST', '/v1/client/staff', member)).status).toBe(201);
    const browser = createPersonBrowser(dev);
    await browser.post('/console/invitation', { token: canary(await invitationTo(dev, email)) });
    const { text } = await browser.post('/console/sessions/calendar', {});
    const [path = '', secret = ''] = /\/v1\/calendar\/([\w-]{43})\.ics/.exec(text) ?? [];
    canary(secret);
    expect((await fetch(dev.gateway_url + path)).status).toBe(200);
    const isOfCalendar = ({ attributes }: Span) => attributes['http.route'] === '/v1/calendar/:file';
    await waitFor(async () => (await allSpans(dev)).some(isOfCalendar), { what: 'the span of a calendar' });
  });

  it('is in the log lines, and no span, metric or log line has personal data or a secret', async () => {
    const spans = await allSpans(dev);
    const folder = join(system.dataDir, 'logs');
    const files = readdirSync(folder).filter((file) => !/^(sandbox|mongod|nats)/.test(file));
    const logs = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    const metrics = await Promise.all(
      Object.values(dev.metrics_urls).map(async (url) => await (await fetch(url)).text()),
    );
    const documented = readFileSync('docs/metrics.md', 'utf8');
    const names = metrics.flatMap((text) => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    expect(names.filter((name) => name !== 'target_info' && !documented.includes(`\`${name}\``))).toEqual([]);
    const [sent] = spans.filter(({ name }) => name === 'send email');
    expect(logs).toContain(`"trace_id":"${sent?.trace_id}","span_id":"${sent?.span_id}"`);
    expect(metrics.every((text) => text.includes('target_info'))).toBe(true);
    expect(canaries.every((value) => value.length >= 12)).toBe(true);
    const places = { spans: JSON.stringify(spans), logs, metrics: metrics.join('\n') };
    const found = Object.entries(places).flatMap(([place, text]) =>
      canaries.filter((value) => text.includes(value)).map((value) => `${place}: ${value.slice(0, 6)}`),
    );
    expect(found).toEqual([]);
  });
});
