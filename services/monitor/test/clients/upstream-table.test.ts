import { waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createUscis, type Uscis } from '../../src/clients/uscis.ts';
import { askUscis } from '../../src/sending/ask-uscis.ts';
import type { SendPermit } from '../../src/sending/pacer.ts';
import { createGovernment, type Government, served } from '../support/government.ts';
import { type StandIn, settingsOf, startStandIn } from '../support/stand-in.ts';

const receipt = 'EAC9999103403';

/** Each row of upstream.md's tables, as the stand-in serves it and the client understands it. */
describe('the government’s API, row by row', () => {
  let standIn: StandIn;
  let government: Government;
  let uscis: Uscis;
  let sent = 0;

  beforeAll(async () => {
    standIn = await startStandIn();
    government = createGovernment(standIn.uscis_url);
    uscis = client();
  });
  afterEach(async () => {
    await government.fault({ mode: 'none' });
    await government.limits({ rate_per_second: 100_000, daily_quota: 1_000_000, hours: '' });
  });
  afterAll(async () => {
    await uscis.close();
    await standIn.stop();
  });

  function client(clientSecret = standIn.uscis_client_secret): Uscis {
    return createUscis({ ...settingsOf(standIn), USCIS_CLIENT_SECRET: clientSecret });
  }
  /** Another stand-in, which has faults of its own. */
  async function apart(own: AsyncDisposableStack) {
    const other = own.adopt(await startStandIn(), ({ stop }) => stop());
    const asking = own.adopt(createUscis(settingsOf(other)), (created) => created.close());
    return { government: createGovernment(other.uscis_url), uscis: asking };
  }
  const turn = async (): Promise<SendPermit> => ({
    sent: ++sent,
    mayWrite: () => true,
    release() {},
  });
  const ask = async (number = receipt, as = uscis) =>
    (await askUscis(as, number, { nextPermit: turn })).outcome;
  async function seen(number = receipt) {
    const outcome = await ask(number);
    if (outcome.outcome !== 'seen') throw new Error(`the outcome was ${outcome.outcome}`);
    return outcome.seen.facts;
  }
  const failed = { outcome: 'failed', reason: expect.any(String) };

  describe('in time', () => {
    it.concurrent('a token is renewed early, while the old one goes on being used', async () => {
      await using own = new AsyncDisposableStack();
      const { government, uscis } = await apart(own);
      const tokensAsked = async () => (await government.tokenRequests()).length;
      await government.tokens({ expires_in: 8 });
      const before = await tokensAsked();
      await ask(receipt, uscis);
      const isRenewed = async () =>
        (await ask(receipt, uscis)).outcome === 'seen' && (await tokensAsked()) >= before + 2;
      await waitFor(isRenewed, { timeoutMs: 20_000 });
      expect((await government.ledger(receipt)).filter(({ status }) => status === 401)).toEqual([]);
    });

    it.concurrent('a slow answer is waited for, none at all is given up', async () => {
      await using own = new AsyncDisposableStack();
      const { government, uscis } = await apart(own);
      await government.fault({ mode: 'slow', delay_ms: 300 });
      expect((await ask(receipt, uscis)).outcome).toBe('seen');
      await government.fault({ mode: 'hang' });
      const startedMs = performance.now();
      expect(await ask(receipt, uscis)).toEqual(failed);
      expect(performance.now() - startedMs).toBeGreaterThan(5_500);
    });
  });

  describe('token', () => {
    const settings = { revoke: true };
    const tokensAsked = async () => (await government.tokenRequests()).length;

    it('is fetched once, whose values are all strings', async () => {
      await government.tokens(settings);
      const before = await tokensAsked();
      await ask();
      await ask();
      expect((await tokensAsked()) - before).toBeLessThanOrEqual(1);
    });

    it('is replaced after a 401, and the request sent once more', async () => {
      await ask();
      await government.tokens(settings);
      const before = (await government.ledger(receipt)).length;
      expect((await ask()).outcome).toBe('seen');
      const rows = (await government.ledger(receipt)).slice(before);
      expect(rows.map(({ status }) => status)).toEqual([401, 200]);
    });

    it('is no use where the second answer is 401 as well', async () => {
      await government.fault({ mode: 'status', status: 401 });
      const before = (await government.ledger(receipt)).length;
      expect(await ask()).toMatchObject({ outcome: 'unauthorised' });
      expect((await government.ledger(receipt)).length - before).toBe(2);
    });

    it('is no use where a new one is the old one', async () => {
      await ask();
      await government.tokens({ repeat: true, revoke: true });
      const before = (await government.ledger()).length;
      expect(await ask()).toMatchObject({ outcome: 'unauthorised', message: 'Invalid Access Token' });
      expect((await government.ledger()).length - before).toBe(2);
      await government.tokens({});
    });

    it('is not given for other keys', async () => {
      const other = client('another secret');
      const message = 'Client credentials are invalid';
      expect(await ask(receipt, other)).toEqual({ outcome: 'unauthorised', message });
      await other.close();
    });

    it('is not asked for again before the Retry-After of its endpoint', async () => {
      const own = client();
      await government.tokens({ mode: 'status', status: 429, retry_after_s: 30 });
      expect(await ask(receipt, own)).toMatchObject({ outcome: 'rate_limited', retryAfterMs: 30_000 });
      await government.tokens({});
      await own.close();
    });

    it.each([
      ['a status', { mode: 'status', status: 500 }],
      ['a page', { mode: 'html' }],
      ['other types', { mode: 'garbage' }],
    ])('fails the check where its endpoint answers with %s', async (_what, fault) => {
      const own = client();
      await government.tokens(fault);
      expect(await ask(receipt, own)).toEqual(failed);
      await government.tokens({});
      expect((await ask(receipt, own)).outcome).toBe('seen');
      await own.close();
    });
  });

  describe('200', () => {
    it('has a form, dates without a zone, texts in two languages, and history in order', async () => {
      await government.set(receipt, {
        ...served('Case Was Received', 'See <a href="https://x.test">x</a> &amp; wait.<p>Bye</p>'),
        form_type: 'N400',
        history: [
          { date: '2024-02-01', text_en: 'Later', text_es: 'Luego' },
          { date: '2023-02-01', text_en: 'Earlier' },
        ],
      });
      expect(await seen()).toMatchObject({
        form_type: 'N-400',
        submitted_date: '2023-09-05T14:28:12.000Z',
        status_code: 'Case Was Received',
        status_code_es: 'Case Was Received (es)',
        status_description: 'See x & wait. Bye',
        history: [{ status_code: 'Earlier' }, { status_code: 'Later', status_code_es: 'Luego' }],
      });
    });

    it('has no dates for online filings, and no history where it is null or absent', async () => {
      await government.set('IOE0912345678', { text_en: 'Case Was Received', desc_en: 'We got it.' });
      expect(await seen('IOE0912345678')).toMatchObject({
        submitted_date: null,
        modified_date: null,
        history: [],
      });
      await government.set('IOE0912345678', {
        text_en: 'Case Was Received',
        desc_en: 'We got it.',
        history: [],
      });
      expect(await seen('IOE0912345678')).toMatchObject({ history: [] });
    });

    it('is salvaged where its JSON is broken by unescaped quotes', async () => {
      const text = 'Go to <a href="https://egov.uscis.gov/x?a=1">our page</a>, or "call".';
      await government.set(receipt, served('Case Was Received', text));
      const whole = await seen();
      await government.fault({ mode: 'broken' });
      expect(await seen()).toEqual(whole);
    });

    it.each(['garbage', 'half', 'wrong_type'])(
      'is set apart where it cannot be understood: %s',
      async (mode) => {
        await government.fault({ mode });
        expect(await ask()).toEqual({ outcome: 'unreadable' });
      },
    );

    it.each(['html', 'truncated', 'endless'])(
      'is a failure where it is none of the government’s: %s',
      async (mode) => {
        await government.fault({ mode });
        expect(await ask()).toEqual(failed);
      },
    );
  });

  describe('everything else', () => {
    // Five shapes, codes as numbers and as strings.
    const shapes = 10;

    it.each([
      [404, 'not_found'],
      [422, 'rejected'],
    ])('%i keeps the government’s sentence, in each of its shapes', async (status, outcome) => {
      const message = 'Words of the government about a receipt.';
      await government.fault({ mode: 'status', status, message });
      for (let i = 0; i < shapes; i++) expect(await ask()).toEqual({ outcome, message });
    });

    it('404 is what an unknown receipt gets, 422 a refused prefix', async () => {
      expect(await ask('EAC0000000009')).toMatchObject({ outcome: 'not_found', message: expect.any(String) });
      expect(await ask('XXX0000000009')).toMatchObject({ outcome: 'rejected', message: expect.any(String) });
    });

    it('404 and 422 without the government’s words are no answer about the case', async () => {
      for (const status of [404, 422]) {
        await government.fault({ mode: 'html', status });
        expect(await ask()).toEqual(failed);
        await government.fault({ mode: 'status', status, message: '' });
        expect(await ask()).toEqual(failed);
      }
    });

    it('429 is a spike arrest where two come at once', async () => {
      await government.limits({ rate_per_second: 1 });
      const outcomes = [await ask(), await ask()];
      const spike = expect.objectContaining({ outcome: 'rate_limited', kind: 'spike' });
      expect(outcomes).toContainEqual(spike);
    });

    it('429 is the quota where the day’s is used, in each shape, or a page that names it', async () => {
      await government.limits({ daily_quota: 0 });
      expect(await ask()).toMatchObject({ outcome: 'rate_limited', kind: 'quota' });
      await government.fault({ mode: 'status', status: 429, message: 'Quota limit exceeded.' });
      for (let i = 0; i < shapes; i++)
        expect(await ask()).toMatchObject({ outcome: 'rate_limited', kind: 'quota' });
    });

    it('429 that names nothing is a spike arrest', async () => {
      for (const fault of [
        { mode: 'status', message: '' },
        { mode: 'status', message: 'Slow down.' },
        { mode: 'html' },
      ]) {
        await government.fault({ ...fault, status: 429 });
        expect(await ask()).toMatchObject({ outcome: 'rate_limited', kind: 'spike' });
      }
    });

    it.each([
      [429, 'rate_limited'],
      [503, 'closed'],
    ])('%i says how long to wait, in seconds', async (status, outcome) => {
      await government.fault({ mode: 'status', status, retry_after_s: 7 });
      expect(await ask()).toMatchObject({ outcome, retryAfterMs: 7_000 });
    });

    it('503 is closed: out of hours, out of order, or a page', async () => {
      const yesterday = new Date(Date.now() - 86_400_000);
      const day = yesterday.toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' }).toLowerCase();
      await government.limits({ hours: `${day} 00:00-24:00 UTC` });
      expect(await ask()).toMatchObject({ outcome: 'closed' });
      for (const mode of ['status', 'html']) {
        await government.fault({ mode, status: 503 });
        expect(await ask()).toMatchObject({ outcome: 'closed' });
      }
    });

    it.each([500, 502, 504, 302, 403])('%i is a failure', async (status) => {
      await government.fault({ mode: 'status', status });
      expect(await ask()).toEqual({ outcome: 'failed', reason: `status ${status}` });
    });
  });
});
