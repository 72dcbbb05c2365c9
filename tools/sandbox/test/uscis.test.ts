import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call, requestToken, until } from './support.ts';

let sandbox: Sandbox;
let bearer: { authorization: string };

const FAST = { rate_per_second: 100_000, daily_quota: 1_000_000, hours: null };
const STAGED = 'EAC9999103403';

const at = (path: string) => sandbox.uscis_url + path;
const askFor = (receipt: string, headers: object = bearer) =>
  call('GET', at(`/case-status/${receipt}`), undefined, headers);
const put = (path: string, body: unknown) => call('PUT', at(path), body);

const token = (form = {}, headers = {}) => requestToken(sandbox, form, headers);

beforeAll(async () => {
  sandbox = await startSandbox();
  bearer = { authorization: `Bearer ${(await token()).json.access_token}` };
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await call('DELETE', at('/sandbox'));
  await put('/sandbox/limits', FAST);
});

describe('the token endpoint', () => {
  it('answers client credentials in a form with strings only', async () => {
    const { status, json } = await token();
    expect(status).toBe(200);
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: '1799', status: 'approved' });
    expect(Object.values(json).every((value) => typeof value === 'string')).toBe(true);
  });

  it('refuses HTTP Basic with 400 and wrong keys with 401', async () => {
    const basic = await token({}, { authorization: 'Basic YTpi' });
    expect(basic.status).toBe(400);
    expect(basic.text).toContain('Required param : grant_type');
    expect((await token({ client_secret: 'wrong' })).status).toBe(401);
    expect((await call('POST', at('/oauth/accesstoken'))).text).toContain('Required param : grant_type');
  });
});

describe('the token endpoint, as it is told', () => {
  const tokens = (settings: object) => put('/sandbox/tokens', settings);

  it('gives tokens that live as long as it was told, and ends all together', async () => {
    await tokens({ expires_in: 1 });
    const short = await token();
    expect(short.json.expires_in).toBe('1');
    const headers = { authorization: `Bearer ${short.json.access_token}` };
    expect((await askFor(STAGED, headers)).status).toBe(200);
    await until('its end', async () => (await askFor(STAGED, headers)).status === 401);
    const other = { authorization: `Bearer ${(await token()).json.access_token}` };
    await tokens({ revoke: true });
    expect((await askFor(STAGED, other)).status).toBe(401);
    bearer = { authorization: `Bearer ${(await token()).json.access_token}` };
  });

  it('gives the same token again, revoked or not', async () => {
    const first = (await token()).json.access_token;
    await tokens({ repeat: true, revoke: true });
    expect((await token()).json.access_token).toBe(first);
    expect((await askFor(STAGED, { authorization: `Bearer ${first}` })).status).toBe(401);
    await tokens({});
    const { access_token } = (await token()).json;
    expect(access_token).not.toBe(first);
    bearer = { authorization: `Bearer ${access_token}` };
  });

  it('fails as it was told, and counts who asked', async () => {
    await tokens({ mode: 'status', status: 503 });
    expect((await token()).status).toBe(503);
    await tokens({ mode: 'html' });
    expect((await token()).text).toContain('<html>');
    await tokens({});
    expect((await token()).status).toBe(200);
    const { json } = await call('GET', at('/sandbox/tokens'));
    expect(json.map((row: { status: number }) => row.status)).toEqual([503, 200, 200]);
  });
});

describe('a case', () => {
  it('is served with its history, its form and an echo of the receipt', async () => {
    const { status, json } = await askFor(STAGED);
    expect(status).toBe(200);
    expect(json.message).toBe(`Query was successful for payload {'receipt_number': '${STAGED}'}`);
    expect(json.case_status).toMatchObject({
      receiptNumber: STAGED,
      formType: 'I-130',
      submittedDate: expect.stringMatching(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/),
      current_case_status_text_es: expect.any(String),
      current_case_status_desc_en: expect.stringContaining('<a href="'),
      hist_case_status: expect.arrayContaining([
        {
          date: '2023-09-05',
          completed_text_en: 'Case Was Received',
          completed_text_es: 'Caso Fue Recibido',
        },
      ]),
    });
  });

  it('has a null history when there is none', async () => {
    expect((await askFor('EAC9999103400')).json.case_status.hist_case_status).toBeNull();
  });

  it('is broken JSON for two receipts until they are advanced', async () => {
    const broken = await askFor('SRC9999132706');
    expect(broken.status).toBe(200);
    expect(() => JSON.parse(broken.text)).toThrow(SyntaxError);
    await call('POST', at('/sandbox/receipts/SRC9999132706/advance'));
    expect((await askFor('SRC9999132706')).json.case_status.receiptNumber).toBe('SRC9999132706');
  });

  it('is 404 when unknown, 422 when malformed or of a refused prefix, 401 without a token', async () => {
    const unknown = await askFor('EAC0000000001');
    expect([unknown.status, unknown.json.code]).toEqual([404, 404]);
    expect((await askFor('EAC12')).json.errors[0].code).toBe('422');
    expect((await askFor('XXX0000000001')).status).toBe(422);
    expect((await askFor(STAGED, {})).json).toEqual({ code: 401, message: 'Invalid Access Token' });
  });
});

describe('the limits', () => {
  it('admit one request per interval, not a burst', async () => {
    await put('/sandbox/limits', { rate_per_second: 4 });
    expect((await askFor(STAGED)).status).toBe(200);
    const early = await askFor(STAGED);
    expect([early.status, early.json.message]).toEqual([429, 'Spike Arrest Violation']);
    await wait(260);
    expect((await askFor(STAGED)).status).toBe(200);
  });

  it('refuse what exceeds the day, naming the quota', async () => {
    await put('/sandbox/limits', { daily_quota: 2 });
    const statuses = [(await askFor(STAGED)).status, (await askFor('EAC0000000001')).status];
    const spent = await askFor(STAGED);
    expect([...statuses, spent.status]).toEqual([200, 404, 429]);
    expect(spent.json.fault.faultstring).toContain('quota');
  });

  it('begin the day’s quota again at midnight of a time zone', async () => {
    await put('/sandbox/limits', { daily_quota: 1 });
    expect((await askFor(STAGED)).status).toBe(200);
    expect((await askFor(STAGED)).status).toBe(429);
    // Somewhere it is another day.
    const zones = ['Pacific/Kiritimati', 'Pacific/Niue'];
    const dayIn = (timeZone: string) => new Date().toLocaleDateString('en-CA', { timeZone });
    const other = zones.find((zone) => dayIn(zone) !== dayIn('UTC'));
    await put('/sandbox/limits', { quota_tz: other });
    expect((await askFor(STAGED)).status).toBe(200);
    expect((await put('/sandbox/limits', { quota_tz: 'Mars/Olympus' })).status).toBe(400);
  });

  it('close the government outside its hours with a nested string code', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('en-US', {
      weekday: 'short',
      timeZone: 'UTC',
    });
    await put('/sandbox/limits', { hours: `${yesterday.toLowerCase()} 00:00-24:00 UTC` });
    const closed = await askFor(STAGED);
    expect([closed.status, closed.json.error.code]).toEqual([503, '503']);
  });

  it('are five a second and a thousand a day as new', async () => {
    await call('DELETE', at('/sandbox'));
    expect((await put('/sandbox/limits', {})).json).toEqual({
      rate_per_second: 5,
      daily_quota: 1000,
      hours: null,
      quota_tz: 'UTC',
    });
  });
});

describe('what is served', () => {
  it('is replaced whole: what is left out is absent', async () => {
    await put(`/sandbox/receipts/${STAGED}`, { text_en: 'Case Was Denied', history: [] });
    expect((await askFor(STAGED)).json.case_status).toEqual({
      receiptNumber: STAGED,
      current_case_status_text_en: 'Case Was Denied',
      hist_case_status: null,
    });
  });

  it('is refused with a sentence that names an unknown field and a wrong date', async () => {
    const { status, json } = await put(`/sandbox/receipts/${STAGED}`, {
      text: 'x',
      modified_date: '2026-11-21',
    });
    expect(status).toBe(400);
    expect(json.error).toMatch(/unknown field "text".*modified_date|modified_date.*unknown field "text"/s);
    expect((await put('/sandbox/receipts/NOPE', {})).status).toBe(400);
    expect((await call('PUT', at(`/sandbox/receipts/${STAGED}`), '{')).json).toEqual({
      error: 'The body is not valid JSON.',
    });
  });

  it('walks a realistic way when advanced, growing its history, without dates for an online filing', async () => {
    const receipt = 'IOE0912345678';
    const titles: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      titles.push((await call('POST', at(`/sandbox/receipts/${receipt}/advance`))).json.text_en);
    }
    expect(titles.slice(0, 3)).toEqual([
      'Case Was Received',
      'Biometrics Appointment Was Scheduled',
      'Case Is Being Actively Reviewed By USCIS',
    ]);
    expect(titles.slice(9)).toEqual([
      'Card Was Delivered To Me By The Post Office',
      'Case Was Reopened',
      'Case Is Being Actively Reviewed By USCIS',
    ]);
    const { case_status } = (await askFor(receipt)).json;
    expect(case_status).not.toHaveProperty('submittedDate');
    expect(case_status).not.toHaveProperty('modifiedDate');
    expect(
      case_status.hist_case_status.map((entry: { completed_text_en: string }) => entry.completed_text_en),
    ).toEqual(titles.slice(0, -1));
  });

  it('writes down every change, and nothing when the same is set again', async () => {
    const body = { form_type: 'I-90', text_en: 'Case Was Approved' };
    await put(`/sandbox/receipts/${STAGED}`, body);
    await put(`/sandbox/receipts/${STAGED}`, body);
    await call('DELETE', at(`/sandbox/receipts/${STAGED}`));
    expect((await askFor(STAGED)).status).toBe(404);
    const { json } = await call('GET', at('/sandbox/transitions'));
    expect(json).toMatchObject([
      { receipt: STAGED, action: 'put', served: body, time: expect.stringMatching(/Z$/) },
      { receipt: STAGED, action: 'delete', served: null },
    ]);
  });
});

it('shows people what it serves, and 404 in JSON for what it does not know', async () => {
  await put(`/sandbox/receipts/${STAGED}`, { text_en: '<script>alert(1)</script>' });
  const page = await call('GET', at('/'));
  expect(page.text).toContain('&lt;script&gt;alert(1)');
  expect(page.text).not.toContain('<script>alert(1)');
  expect((await call('GET', at('/nowhere'))).json.error).toContain('/nowhere');
  expect((await call('GET', at('/livez'))).status).toBe(200);
});
