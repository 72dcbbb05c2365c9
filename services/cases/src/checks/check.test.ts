import { operations } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, seen } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

const checked_at = '2026-11-20T09:00:00.000Z';

describe('POST /v1/check', () => {
  let cases: Cases;
  const check = (over: object = {}, as = partner(), headers: Record<string, string> = {}) =>
    cases.call('POST', '/v1/check', { as, headers, body: { receipt_number: receipt(1), ...over } });

  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());
  beforeEach(() => cases.monitorSays(async () => seen()));

  it('shows what the government shows, without id and notify fields, and stores no case', async () => {
    const { status, body } = await check();
    expect(status).toBe(200);
    operations.check.success.body.parse(body);
    expect(body).toMatchObject({
      success: true,
      receipt_number: receipt(1),
      checked_at,
      source: 'live',
      status: { kind: 'baseline', status_code: 'Case Was Received', timestamp: checked_at },
    });
    for (const collection of ['cases', 'status_updates', 'acknowledgements'])
      expect(await cases.db.collection(collection).countDocuments({})).toBe(0);
  });

  it('says where the answer comes from the store', async () => {
    cases.monitorSays(async () => seen({ source: 'cache' }));
    expect((await check()).body).toMatchObject({ source: 'cache' });
  });

  it('asks the monitor as the caller, for a live answer where the caller has no case', async () => {
    await check();
    expect(cases.checks.at(-1)).toEqual({
      receipt_number: receipt(1),
      caller: { partner_id: 1, user_id: null },
      max_age_s: 0,
    });
    await check({ max_age: 300 }, endUser(7, null));
    expect(cases.checks.at(-1)).toMatchObject({ caller: { partner_id: null, user_id: 7 }, max_age_s: 0 });
  });

  const [english, spanish, portuguese] = [/^USCIS (?!recibió)/, /^USCIS recibió/, /^O USCIS/];

  it.each([
    ['pt-BR, en;q=0.5', portuguese],
    ['PT-br', portuguese],
    ['fr, pt-BR;q=0.9, es;q=0.8', portuguese],
    ['es', spanish],
    ['es , pt', spanish],
    ['en;q=0.3, es;q=0.7', spanish],
    ['', english],
    ['*', english],
    ['fr', english],
    ['fr-CH, de', english],
    ['es;q=0, fr', english],
    ['es;q=much', english],
  ])('speaks the language of Accept-Language %s', async (header, sentence) => {
    const { body } = await check({}, partner(), { 'accept-language': header });
    expect((body.status as { detail_message: string }).detail_message).toMatch(sentence);
  });

  it('answers 404 neutrally where the government shows nothing, with the sentence of USCIS', async () => {
    cases.monitorSays(async () => ({ outcome: 'not_found', message: 'Invalid number.', checked_at }));
    const { status, body } = await check();
    expect([status, body.code]).toEqual([404, 'status_not_available']);
    expect(body.message).toBe(
      'USCIS shows no status for this receipt number at the moment. USCIS says: Invalid number.',
    );
  });

  it('answers 400 in the government’s words where it refuses the number', async () => {
    cases.monitorSays(async () => ({ outcome: 'rejected', message: 'Invalid prefix.', checked_at }));
    const { status, body } = await check();
    expect([status, body.code]).toEqual([400, 'receipt_number_rejected']);
    expect(body.message).toContain('Invalid prefix.');
  });

  it.each([
    ['the answer cannot be read', async () => ({ outcome: 'unreadable', checked_at }) as const],
    [
      'the government cannot be asked',
      () => Promise.reject(new ApiError('uscis_unavailable', { retryAfterS: 60 })),
    ],
  ])('answers 503 with Retry-After where %s', async (_what, says) => {
    cases.monitorSays(says);
    const { status, headers, body } = await check();
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'uscis_unavailable', '60']);
  });

  it('answers 429 with the time to wait where the share of live checks is spent', async () => {
    cases.monitorSays(async () => {
      throw new ApiError('rate_limited', { retryAfterS: 1_800 });
    });
    const { status, headers } = await check();
    expect([status, headers.get('retry-after')]).toEqual([429, '1800']);
  });

  it.each([
    [{ receipt_number: 'EAC123' }, 'invalid_receipt_number'],
    [{ max_age: 299 }, 'validation_failed'],
    [{ max_age: 86_401 }, 'validation_failed'],
    [{ max_age: '900' }, 'validation_failed'],
    [{ user_id: 1 }, 'validation_failed'],
  ])('answers 400 to %j', async (over, code) => {
    expect(await check(over)).toMatchObject({ status: 400, body: { code } });
  });

  it('answers 401 to nobody and 403 to a key without the scope', async () => {
    expect((await check({}, { kind: 'anonymous' })).status).toBe(401);
    const reader = {
      kind: 'partner',
      partner_id: 1,
      key_id: 'key-1',
      scopes: ['cases:read' as const],
    } as const;
    const refused = await check({}, { ...reader, scopes: [...reader.scopes] });
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });
});
