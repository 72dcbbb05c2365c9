import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call, giveUpOn, requestToken } from './support.ts';

let sandbox: Sandbox;
let bearer: { authorization: string };

const FAST = { rate_per_second: 100_000, daily_quota: 1_000_000, hours: null };
const STAGED = 'EAC9999103403';

const at = (path: string) => sandbox.uscis_url + path;
const askFor = (receipt: string) => call('GET', at(`/case-status/${receipt}`), undefined, bearer);
const put = (path: string, body: unknown) => call('PUT', at(path), body);
const ledger = async () => (await call('GET', at(`/sandbox/requests?receipt=${STAGED}`))).json;
const arrived = (fault: string) => async () => (await ledger()).at(-1)?.fault === fault;

beforeAll(async () => {
  sandbox = await startSandbox();
  const { json } = await requestToken(sandbox);
  bearer = { authorization: `Bearer ${json.access_token}` };
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await call('DELETE', at('/sandbox'));
  await put('/sandbox/limits', FAST);
});

describe('faults', () => {
  it('answer a status in changing envelopes to the receipts named, and leave the others alone', async () => {
    await put('/sandbox/faults', { mode: 'status', status: 502, receipts: [STAGED] });
    const bodies = [];
    for (let turn = 0; turn < 5; turn += 1) bodies.push((await askFor(STAGED)).json);
    const shapes = bodies.map((body) => Object.keys(body).join() + typeof body.error);
    expect(new Set(shapes).size).toBe(5);
    expect((await askFor('EAC9999103404')).status).toBe(200);
  });

  it('spoil the body: garbage, HTML, half of it', async () => {
    await put('/sandbox/faults', { mode: 'garbage' });
    expect((await askFor(STAGED)).json).toBeNull();
    await put('/sandbox/faults', { mode: 'html' });
    expect((await askFor(STAGED)).text).toContain('<html>');
    await put('/sandbox/faults', { mode: 'truncated' });
    await expect(askFor(STAGED)).rejects.toThrow();
  });

  it('give codes as numbers and as strings, another sentence, or no body', async () => {
    await put('/sandbox/faults', { mode: 'status', status: 404 });
    const codes = [];
    for (let turn = 0; turn < 10; turn += 1) codes.push((await askFor(STAGED)).text);
    expect(codes.some((body) => body.includes('"code":404'))).toBe(true);
    expect(codes.some((body) => body.includes('"code":"404"'))).toBe(true);
    await put('/sandbox/faults', { mode: 'status', status: 429, message: 'Quota exceeded' });
    expect((await askFor(STAGED)).text).toContain('Quota exceeded');
    await put('/sandbox/faults', { mode: 'status', status: 429, message: '' });
    const bare = await askFor(STAGED);
    expect([bare.status, bare.text]).toEqual([429, '']);
  });

  it('spoil it otherwise: half as if whole, other types, broken links, no end', async () => {
    await put('/sandbox/faults', { mode: 'half' });
    expect((await askFor(STAGED)).json).toBeNull();
    await put('/sandbox/faults', { mode: 'wrong_type' });
    expect((await askFor(STAGED)).json.case_status.receiptNumber).toBe(7);
    await put('/sandbox/faults', { mode: 'broken' });
    const broken = await askFor(STAGED);
    expect([broken.status, broken.json]).toEqual([200, null]);
    await put('/sandbox/faults', { mode: 'endless' });
    const signal = AbortSignal.timeout(300);
    await expect(
      fetch(at(`/case-status/${STAGED}`), { signal, headers: bearer }).then((answer) => answer.text()),
    ).rejects.toThrow('timeout');
  });

  it('delay the answer, or never give it', async () => {
    await put('/sandbox/faults', { mode: 'slow', delay_ms: 150 });
    const started = performance.now();
    expect((await askFor(STAGED)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(145);
    await put('/sandbox/faults', { mode: 'hang' });
    await giveUpOn(at(`/case-status/${STAGED}`), arrived('hang'), { headers: bearer });
  });

  it('answer for another receipt', async () => {
    await put('/sandbox/faults', { mode: 'other_receipt' });
    const { status, json } = await askFor(STAGED);
    expect(status).toBe(200);
    expect(json.case_status.receiptNumber).toMatch(/^[A-Z]{3}\d{10}$/);
    expect(json.case_status.receiptNumber).not.toBe(STAGED);
  });

  it('answer 404 as a gateway and a framework do, without a word about the receipt', async () => {
    await put('/sandbox/faults', { mode: 'gateway_404' });
    const bodies = [];
    for (let turn = 0; turn < 3; turn += 1) bodies.push(await askFor(STAGED));
    expect(bodies.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(bodies.map(({ json }) => Object.keys(json).join())).size).toBe(3);
    for (const { text } of bodies) expect(text).not.toMatch(/receipt/i);
  });

  it('move a date alone, add a sentence everywhere, and show the placeholder', async () => {
    const before = (await askFor(STAGED)).json.case_status;
    await put('/sandbox/faults', { mode: 'touched' });
    const { modifiedDate, ...touched } = (await askFor(STAGED)).json.case_status;
    expect(before).toMatchObject(touched);
    expect(modifiedDate).not.toBe(before.modifiedDate);
    await put('/sandbox/faults', { mode: 'boilerplate', message: 'Wait.' });
    for (const receipt of [STAGED, 'EAC9999103404'])
      expect((await askFor(receipt)).json.case_status.current_case_status_desc_en).toMatch(/ Wait\.$/);
    await put('/sandbox/faults', { mode: 'placeholder' });
    expect((await askFor(STAGED)).json.case_status.current_case_status_text_en).toBe('CASE STATUS');
  });

  it('let the history blink', async () => {
    await put('/sandbox/faults', { mode: 'blinking_history' });
    const histories = [];
    for (let turn = 0; turn < 4; turn += 1)
      histories.push((await askFor(STAGED)).json.case_status.hist_case_status !== null);
    expect(histories).toEqual([false, true, false, true]);
  });

  it('say when to ask again', async () => {
    await put('/sandbox/faults', { mode: 'status', status: 429, retry_after_s: 7 });
    const answer = await fetch(at(`/case-status/${STAGED}`), { headers: bearer });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('stand in the ledger beside everything else that was asked', async () => {
    await askFor(STAGED);
    await put('/sandbox/faults', { mode: 'status', status: 500 });
    await askFor(STAGED);
    await put('/sandbox/faults', { mode: 'hang' });
    await giveUpOn(at(`/case-status/${STAGED}`), arrived('hang'));
    expect(await ledger()).toMatchObject([
      { receipt: STAGED, status: 200, fault: null, time: expect.stringMatching(/Z$/) },
      { status: 500, fault: 'status' },
      { status: 0, fault: 'hang' },
    ]);
    expect((await call('GET', at('/sandbox/requests?receipt=EAC9999103404'))).json).toEqual([]);
    expect((await call('GET', at('/sandbox/requests'))).json).toHaveLength(3);
  });

  it('are refused when the body is wrong', async () => {
    const { status, json } = await put('/sandbox/faults', { mode: 'explode', ratio: 2 });
    expect(status).toBe(400);
    expect(json.error).toMatch(/mode.*ratio/s);
  });
});
