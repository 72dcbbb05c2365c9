import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

type Gateway = Awaited<ReturnType<typeof startTestGateway>>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a forged token', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const ask = async (token: string, headers: Record<string, string> = {}) => {
    const credentials = { authorization: `Bearer ${token}`, ...headers };
    const response = await fetch(`${gateway.url}/v1/users/7`, { headers: credentials });
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  /** Header and claims of a good token, to be turned into one that is not. */
  const parts = () => {
    const [head = '', body = ''] = gateway.identity.token().split('.');
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
    return { header: read(head), claims: read(body), body };
  };
  const stranger = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = (header: object, body: string, key: KeyObject) => {
    const signature = createSign('sha256')
      .update(`${encode(header)}.${body}`)
      .sign({ key, dsaEncoding: 'ieee-p1363' });
    return `${encode(header)}.${body}.${signature.toString('base64url')}`;
  };

  it('is not what a good one is', async () => {
    expect((await ask(gateway.identity.token()))[0]).toBe(200);
    const { header, body } = parts();
    expect((await ask(signed(header, body, gateway.identity.signing.privateKey)))[0]).toBe(200);
  });

  const forgeries: [string, () => string][] = [
    ['unsigned, alg none', () => `${encode({ ...parts().header, alg: 'none' })}.${parts().body}.`],
    ['unsigned, alg None', () => `${encode({ ...parts().header, alg: 'None' })}.${parts().body}.`],
    ['without its signature', () => `${encode(parts().header)}.${parts().body}.`],
    [
      'of HS256 with the public key as secret',
      () => {
        const head = encode({ ...parts().header, alg: 'HS256' });
        const { publicKey } = gateway.identity.signing;
        const secret = publicKey.export({ type: 'spki', format: 'pem' });
        const mac = createHmac('sha256', secret).update(`${head}.${parts().body}`).digest('base64url');
        return `${head}.${parts().body}.${mac}`;
      },
    ],
    ['of another key', () => signed(parts().header, parts().body, stranger().privateKey)],
    [
      'of another key that it brings along',
      () => {
        const { publicKey, privateKey } = stranger();
        const jwk = publicKey.export({ format: 'jwk' });
        return signed({ ...parts().header, jwk }, parts().body, privateKey);
      },
    ],
    [
      'of another key that it says where to find',
      () => {
        const jku = 'http://127.0.0.1:9/keys.json';
        return signed({ ...parts().header, jku, x5u: jku }, parts().body, stranger().privateKey);
      },
    ],
    ['of an unknown key id', () => gateway.identity.token({}, header({ kid: 'unknown' }))],
    ['without a key id', () => gateway.identity.token({}, header({ kid: '' }))],
    ['of another type', () => gateway.identity.token({}, header({ typ: 'JWT' }))],
    [
      'of the type of a principal',
      () => gateway.identity.token({}, header({ typ: 'casewatch-principal+jwt' })),
    ],
    ['for another audience', () => gateway.identity.token({ aud: 'identity' })],
    ['for another audience, with ours in its name', () => gateway.identity.token({ aud: 'casewatch-other' })],
    ['of another issuer', () => gateway.identity.token({ iss: 'casewatch-gateway' })],
    ['without a session', () => gateway.identity.token({ sid: undefined })],
    ['of a user that is no number', () => gateway.identity.token({ sub: '7 or 1=1' })],
    [
      'with other claims under the same signature',
      () => {
        const [head = '', , signature = ''] = gateway.identity.token().split('.');
        return `${head}.${encode({ ...parts().claims, sub: '8' })}.${signature}`;
      },
    ],
    ['that is the principal of a service', () => principalOf(gateway)],
    ['that is nothing', () => 'a.b.c'],
    ['that is JSON of nothing', () => `${encode(null)}.${encode(null)}.`],
  ];

  it.each(forgeries)('%s is refused', async (_what, forge) => {
    expect(await ask(forge())).toEqual([401, 'invalid_token']);
  });

  it('that has expired is refused as such', async () => {
    expect(await ask(gateway.identity.token({}, { expiresIn: -10 }))).toEqual([401, 'token_expired']);
  });

  it('nor do headers that imitate the gateway make a caller, also named in Connection', async () => {
    const seen = gateway.seen.length;
    for (const name of ['x-casewatch-principal', 'X-CASEWATCH-PRINCIPAL', 'x-casewatch_principal']) {
      const headers = { [name]: principalOf(gateway), forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' };
      const response = await fetch(`${gateway.url}/v1/users/7`, { headers });
      expect(response.status).toBe(401);
    }
    expect(gateway.seen).toHaveLength(seen);
  });

  it('does not make the gateway ask for keys again and again', async () => {
    const unknown = () => ask(gateway.identity.token({}, header({ kid: `made-up-${Math.random()}` })));
    await unknown();
    const before = gateway.identity.askedFor('identity.jwks');
    const started = performance.now();
    await Promise.all(Array.from({ length: 50 }, unknown));
    // Once in five seconds at most.
    const allowed = 1 + Math.floor((performance.now() - started) / 5_000);
    expect(gateway.identity.askedFor('identity.jwks') - before).toBeLessThanOrEqual(allowed);
  });

  it('is distinguished from one of a new key, which is found without a long wait', async () => {
    const next = gateway.identity.publishKey('k2');
    const token = gateway.identity.token({}, header({ kid: 'k2' }), next);
    await waitFor(async () => (await ask(token))[0] === 200, { timeoutMs: 15_000, what: 'the new key' });
    expect((await ask(gateway.identity.token()))[0]).toBe(200);
  });
});

function header(change: object) {
  return { header: { alg: 'ES256', typ: 'at+jwt', kid: 'k1', ...change } };
}

/** A principal that the gateway signed for a service, as somebody inside could have caught it. */
function principalOf(gateway: Gateway): string {
  return String(gateway.seen.at(-1)?.headers['x-casewatch-principal']);
}
