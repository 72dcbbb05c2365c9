import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Asking, failed, receipt, startAsking } from '../support/asking-uscis.ts';
import { served } from '../support/government.ts';

/** Each row of upstream.md's tables, as the stand-in serves it and the client understands it. */
describe('the government’s API, row by row', () => {
  let government: Asking['government'];
  let ask: Asking['ask'];
  let reset: Asking['reset'];
  let stop: Asking['stop'];

  beforeAll(async () => {
    ({ government, ask, reset, stop } = await startAsking());
  });
  afterEach(() => reset());
  afterAll(() => stop());

  async function seen(number = receipt) {
    const outcome = await ask(number);
    if (outcome.outcome !== 'seen') throw new Error(`the outcome was ${outcome.outcome}`);
    return outcome.seen.facts;
  }

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
      'is a failure if it is not an answer of USCIS: %s',
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

    it('429 is a spike arrest where two come at the same time', async () => {
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
