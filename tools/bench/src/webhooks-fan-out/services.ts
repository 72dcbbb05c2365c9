import { freePort } from '@casewatch/testing';
import { pathOf, startProcess } from '../kit/processes.ts';
import type { Servers } from '../kit/servers.ts';
import { localSettings, newPrincipalKey } from '../kit/service-settings.ts';
import { partnerCaller } from '../webhooks/partner-caller.ts';

/** identity, cases and webhooks, each in a process of its own. */
export async function startServices({ mongo, nats }: Servers) {
  const { key, PRINCIPAL_JWKS } = newPrincipalKey();
  const port = await freePort();
  const secret = 'a-key-of-the-bench-alone-'.repeat(2);
  const start = (name: string, more: Record<string, string>) =>
    startProcess(pathOf(`services/${name}/src/main.ts`), {
      ...localSettings,
      ...nats.user(name),
      MONGODB_URL: mongo.url(name),
      PRINCIPAL_JWKS,
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
  return { identity, cases, webhooks, call: partnerCaller(port, key) };
}
