import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { gateway } from '../../services/gateway/src/service.ts';
import { type NatsLink, natsLink } from './nats-link.ts';
import type { System } from './system.ts';

/** One more gateway of a running system, with a link to NATS of its own. */
export type Gateway = { url: string; link: NatsLink; stop(): Promise<void> };

/** Starts a gateway in this process; `ready: false` does not wait until it serves. */
export async function startGateway(system: System, { ready = true } = {}): Promise<Gateway> {
  const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8')).gateway;
  const link = await natsLink(env.NATS_URL);
  const own = { PORT: '0', NATS_URL: link.url, LOG_LEVEL: 'silent', OTEL_SDK_DISABLED: 'true' };
  const service = await start(gateway, { ...env, ...own });
  const url = `http://127.0.0.1:${service.port}`;
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false;
  if (ready) await waitFor(isReady, { timeoutMs: 120_000, what: 'the gateway' });
  return {
    url,
    link,
    async stop() {
      // A broken link would hold it back.
      link.heal();
      await service.stop();
      await link.stop();
    },
  };
}
