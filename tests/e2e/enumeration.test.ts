import { createPartner, send, until } from '@casewatch/driver';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createPersonBrowser } from '../support/person-browser.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

/** Of each kind, interleaved: ten for each address. Times are compared by `npm run bench -- enumeration`. */
const requests = 20;
const addresses = 2;

let dev: DevFile;
const known: string[] = [];
const unknown = Array.from({ length: addresses }, (_, i) => `nobody.${i}@enumeration.example`);

beforeAll(async () => {
  // Its scale still counts the limits of one e-mail address, and does not reach those of the network.
  dev = (await sharedSystem()).dev();
  const partner = createPartner(dev, dev.partner);
  for (let i = 0; i < addresses; i++) {
    const email = `person.${i}@enumeration.example`;
    await partner.newUser({ email, send_verification: false });
    known.push(email);
  }
});

type Asked = { path: string; bodyOf(email: string): unknown };

/** One request over the whole path: its status and body, without what differs each time. */
async function ask({ path, bodyOf }: Asked, email: string): Promise<Record<string, unknown>> {
  const { status, body } = await send(dev, 'POST', { path, body: bodyOf(email) });
  const { request_id: _id, instance: _instance, ...rest } = body;
  return { status, ...rest };
}

const login: Asked = { path: '/v1/auth/login-code', bodyOf: (email) => ({ email }) };
const guess: Asked = { path: '/v1/auth/token', bodyOf: (email) => ({ email, code: '000000' }) };
const resend: Asked = { path: '/v1/users/resend-verification', bodyOf: (email) => ({ email }) };
const signUp: Asked = { path: '/v1/users', bodyOf: (email) => ({ email, name: 'Test Person' }) };

describe('whether an address is known', () => {
  it.each<[string, Asked, (email: string) => Promise<unknown>]>([
    ['asking for a login code', login, async () => {}],
    ['guessing a login code', guess, (email) => ask(login, email)],
    ['asking for another verification mail', resend, async () => {}],
    ['signing up', signUp, async () => {}],
  ])('cannot be told from %s by status and body, also after many tries', async (_what, asked, prepare) => {
    for (const email of [...known, ...unknown]) await prepare(email);
    for (let i = 0; i < requests; i++) {
      const nth = i % addresses;
      const ofKnown = await ask(asked, known[nth] ?? '');
      expect(await ask(asked, unknown[nth] ?? '')).toEqual(ofKnown);
    }
  });

  it('cannot be told from the page that answers the front page, header by header and byte by byte', async () => {
    const pageFor = async (email: string) => {
      const browser = createPersonBrowser(dev, { 'accept-language': 'pt-BR' });
      const ask = async () => {
        const { status, headers, text } = await browser.post('/sign-in', { email });
        return status !== 503 && { status, headers: headersOf(headers), text };
      };
      const answer = await until(ask, { what: 'an answer without 503' });
      const page = await browser.get('/sign-in/code');
      const shown = page.text.replaceAll(email, 'the address');
      return { ...answer, page: { status: page.status, headers: headersOf(page.headers), shown } };
    };
    for (let i = 0; i < requests; i++) {
      const nth = i % addresses;
      const ofKnown = await pageFor(known[nth] ?? '');
      expect(ofKnown.page.shown).toContain('the address');
      expect(ofKnown.headers).toMatchObject({
        location: '/sign-in/code',
        'set-cookie': expect.stringMatching(/^sign-in=\(\d+\); Max-Age=\d+; Path=\/; HttpOnly/),
      });
      // Both addresses have one length, so their pages have, too.
      expect(Number(ofKnown.page.headers['content-length'])).toBeGreaterThan(1_000);
      expect(await pageFor(unknown[nth] ?? '')).toEqual(ofKnown);
    }
  });
});

/** What differs from one request to the next, whoever asks. */
const ofEachRequest = new Set(['date', 'x-request-id', 'ratelimit']);

/** The cookie keeps the address and the id of the request for the browser: of its value, the length. */
function headersOf(headers: Headers): Record<string, string> {
  const shown = [...headers].filter(([name]) => !ofEachRequest.has(name));
  const withoutValue = (text: string) => text.replace(/=([^;]*)/, (_, value: string) => `=(${value.length})`);
  return Object.fromEntries(
    shown.map(([name, value]) => [name, name === 'set-cookie' ? withoutValue(value) : value]),
  );
}
