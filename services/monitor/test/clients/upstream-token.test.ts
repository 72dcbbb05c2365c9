import { waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Asking, failed, receipt, startAsking } from '../support/asking-uscis.ts';

/** The rows of upstream.md about the token, and about answers that take their time. */
describe('the government’s API,', () => {
  let government: Asking['government'];
  let ask: Asking['ask'];
  let client: Asking['client'];
  let reset: Asking['reset'];
  let stop: Asking['stop'];

  beforeAll(async () => {
    ({ government, ask, client, reset, stop } = await startAsking());
  });
  afterEach(() => reset());
  afterAll(() => stop());

  /** Another stand-in, which has faults of its own. */
  const apart = async (own: AsyncDisposableStack) => own.adopt(await startAsking(), ({ stop }) => stop());

  describe('in time', () => {
    it('a token is renewed early, while the old one goes on being used', async () => {
      await using own = new AsyncDisposableStack();
      const { government, ask } = await apart(own);
      const tokensAsked = async () => (await government.tokenRequests()).length;
      await government.tokens({ expires_in: 8 });
      const before = await tokensAsked();
      await ask();
      const isRenewed = async () => (await ask()).outcome === 'seen' && (await tokensAsked()) >= before + 2;
      await waitFor(isRenewed, { timeoutMs: 20_000 });
      expect((await government.ledger(receipt)).filter(({ status }) => status === 401)).toEqual([]);
    });

    it('a slow answer is waited for, none at all is given up', async () => {
      await using own = new AsyncDisposableStack();
      const { government, ask } = await apart(own);
      await government.fault({ mode: 'slow', delay_ms: 300 });
      expect((await ask()).outcome).toBe('seen');
      await government.fault({ mode: 'hang' });
      const startedMs = performance.now();
      expect(await ask()).toEqual(failed);
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

    const lives: [string, unknown, number][] = [
      ['missing', undefined, 1],
      ['null', null, 1],
      ['no text', '', 1],
      ['words', '30 minutes', 1],
      ['negative', -1, 1],
      ['negative text', '-1799', 1],
      ['zero', 0, 1],
      ['zero as text', '0', 1],
      ['endless', '1e999', 1],
      ['true', true, 1],
      ['a list', [1799], 1],
      ['text', '1799', 0],
      ['text with spaces', ' 1799 ', 0],
      ['a number', 1799, 0],
      ['a fraction', 1799.5, 0],
      ['a fraction as text', '1799.5', 0],
      ['very long', 1e9, 0],
    ];

    it.each(lives)(
      'is used once fetched, and counted where its lifetime is %s',
      async (_what, expires_in, count) => {
        let assumed = 0;
        const own = client(undefined, () => {
          assumed += 1;
        });
        await government.answerToken({ body: JSON.stringify({ access_token: ' own ', expires_in }) });
        const before = await tokensAsked();
        for (let i = 0; i < 3; i++) expect((await ask(receipt, own)).outcome).toBe('seen');
        expect([(await tokensAsked()) - before, assumed]).toEqual([1, count]);
        await government.answerToken(null);
        await own.close();
      },
    );

    it.each(['BEARER', 'bearer', '', 7, undefined])(
      'is taken whatever the case of its type: %j',
      async (token_type) => {
        const own = client();
        await government.answerToken({
          body: JSON.stringify({ access_token: 'own', expires_in: '1799', token_type }),
        });
        expect((await ask(receipt, own)).outcome).toBe('seen');
        await government.answerToken(null);
        await own.close();
      },
    );

    it.each([
      '{"expires_in":"1799"}',
      '{"access_token":"","expires_in":"1799"}',
      '{"access_token":" ","expires_in":"1799"}',
      '{"access_token":null}',
      '{"access_token":7}',
      '{"access_token":"a\\r\\nb: c"}',
      '{"access_token":"a\u200bb"}',
      '{"token":"own"}',
      '[]',
      'own',
      '',
    ])('fails the check where there is none in %s', async (body) => {
      const own = client();
      await government.answerToken({ body });
      expect(await ask(receipt, own)).toEqual(failed);
      await government.answerToken(null);
      expect((await ask(receipt, own)).outcome).toBe('seen');
      await own.close();
    });

    it.each([404, 422])('says nothing about the receipt where its endpoint answers %i', async (status) => {
      const own = client();
      await government.answerToken({ status, body: '{"code":404,"message":"The receipt is unknown."}' });
      expect(await ask(receipt, own)).toEqual(failed);
      await government.answerToken(null);
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
});
