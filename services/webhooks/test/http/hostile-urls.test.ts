import { BlockList } from 'node:net';
import { seededRandom, startMongo, startNats, type TestMongo, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ipv4Text, ipv4Value } from '../support/address-forms.ts';
import { furtherIpv4, specialIpv4 } from '../support/iana-special-purpose.ts';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';
import { hostileUrl } from '../support/url-forms.ts';

const notPublic = 'This address cannot receive webhooks: its host must have public addresses only.';
const special = [...specialIpv4, ...furtherIpv4];

/** An independent judge: Node's own list, made of IANA's rows. */
const notForEverybody = new BlockList();
for (const network of special) {
  const [base = '', bits] = network.split('/');
  notForEverybody.addSubnet(base, Number(bits));
}

/** Addresses of a name; a test sets them before it asks. */
const names = new Map<string, string[]>();
let mongo: TestMongo;
let nats: TestNats;
let service: TestWebhooks;
beforeAll(async () => {
  [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  const resolve = async (host: string) => names.get(host) ?? [];
  service = await startTestWebhooks({ mongo, nats, resolve, env: { WEBHOOKS_ALLOW_LOOPBACK: 'false' } });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mongo.stop(), nats.stop()]);
});

/** Half of them within the special networks, the others anywhere. */
function randomAddress(random: (below: number) => number): bigint {
  const anywhere = BigInt(random(2 ** 31)) * 2n + BigInt(random(2));
  if (random(2) === 0) return anywhere;
  const [base = '', bits] = (special[random(special.length)] ?? '').split('/');
  const hostMask = (1n << BigInt(32 - Number(bits))) - 1n;
  return ipv4Value(base) | (anywhere & hostMask);
}

let partners = 0;
async function register(url: string) {
  partners += 1; // A partner has at most 20 endpoints.
  const { status, body } = await service.call(partners, 'POST', '/v1/webhooks', { url, events: ['*'] });
  return { status, message: body.message, shown: body.webhook?.url };
}

/** Eight at a time. */
async function eachOf<T>(cases: readonly T[], check: (one: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < cases.length; first += 8)
    await Promise.all(cases.slice(first, first + 8).map(check));
}

describe('an endpoint', () => {
  it('is accepted exactly when its address is public, in whatever way the URL writes the address', async () => {
    const random = seededRandom(18);
    const seen = { public: 0, refused: 0 };
    const cases = Array.from({ length: 240 }, () => {
      const address = randomAddress(random);
      return { text: ipv4Text(address), url: hostileUrl(address, random) };
    });
    await eachOf(cases, async ({ text, url }) => {
      const answer = await register(url);
      if (notForEverybody.check(text)) {
        seen.refused += 1;
        const { status, message } = answer;
        expect({ url, text, status, message }).toEqual({ url, text, status: 400, message: notPublic });
      } else {
        seen.public += 1;
        expect({ url, text, status: answer.status }).toEqual({ url, text, status: 201 });
        // The stored URL has the address that was judged.
        const { hostname } = new URL(answer.shown ?? '');
        if (!hostname.startsWith('[')) expect(hostname).toBe(text);
      }
    });
    expect(Math.min(seen.public, seen.refused)).toBeGreaterThan(60);
  });

  it('is accepted exactly when all addresses of its name are public', async () => {
    const random = seededRandom(19);
    const seen = { public: 0, refused: 0 };
    const cases = Array.from({ length: 60 }, (_, i) => {
      const addresses = Array.from({ length: 1 + random(3) }, () => ipv4Text(randomAddress(random)));
      names.set(`name-${i}.example`, addresses);
      return { url: `https://name-${i}.example/`, addresses };
    });
    await eachOf(cases, async ({ url, addresses }) => {
      const isRefused = addresses.some((address) => notForEverybody.check(address));
      const { status } = await register(url);
      expect({ addresses, status }).toEqual({ addresses, status: isRefused ? 400 : 201 });
      seen[isRefused ? 'refused' : 'public'] += 1;
    });
    expect(Math.min(seen.public, seen.refused)).toBeGreaterThan(8);
  });
});
