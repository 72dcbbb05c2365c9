import { generateKeyPairSync } from 'node:crypto';
import type { Principal } from '@casewatch/contracts';
import { type PrivateJwk, principalHeader, principalSigner, privateJwk } from '@casewatch/platform';
import { freePort } from '@casewatch/testing';
import { pathOf, startProcess } from '../kit/processes.ts';
import type { Servers } from '../kit/servers.ts';
import { partnerId } from './rows.ts';

/** identity, cases and webhooks, each in a process of its own. */
export async function startServices({ mongo, nats }: Servers) {
  const key = signingKey();
  const { d: _private, ...publicKey } = key;
  const port = await freePort();
  const secret = 'a-key-of-the-bench-alone-'.repeat(2);
  const start = (name: string, more: Record<string, string>) =>
    startProcess(pathOf(`services/${name}/src/main.ts`), {
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: '0',
      ...nats.user(name),
      MONGODB_URL: mongo.url(name),
      PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
      CURSOR_KEY: secret,
      ...more,
    });
  const [identity, cases, webhooks] = await Promise.all([
    start('identity', { PUBLIC_URL: 'http://gateway.bench', SECRET_PEPPER: secret }),
    start('cases', {}),
    start('webhooks', {
      PORT: String(port),
      WEBHOOKS_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      WEBHOOKS_ALLOW_LOOPBACK: 'true',
    }),
  ]);
  return { identity, cases, webhooks, createWebhook: webhookCreator(key, port) };
}

function signingKey(): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateJwk.parse({ ...privateKey.export({ format: 'jwk' }), kid: 'bench' });
}

function webhookCreator(key: PrivateJwk, port: number) {
  const path = '/v1/webhooks';
  const sign = principalSigner(key);
  return async (body: { url: string; events: string[]; rate_limit: number }): Promise<void> => {
    const principal: Principal = {
      kind: 'partner',
      partner_id: partnerId,
      key_id: 'bench',
      scopes: ['webhooks'],
    };
    const token = sign({ principal, address: '192.0.2.1' }, 'webhooks', { method: 'POST', path });
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { [principalHeader]: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`webhook not created: ${response.status} ${await response.text()}`);
  };
}
