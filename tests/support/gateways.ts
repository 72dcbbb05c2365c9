import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, spawnProgram, waitFor } from '@casewatch/testing';
import { type NatsLink, natsLink } from './nats-link.ts';
import type { System } from './system.ts';

/** One more gateway of a running system, with a link to NATS of its own. */
export type Gateway = { url: string; link: NatsLink; stop(): Promise<void> };

const root = join(import.meta.dirname, '../..');

/** Starts a gateway; `ready: false` does not wait until it serves. */
export async function startGateway(system: System, { ready = true } = {}): Promise<Gateway> {
  const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8')).gateway;
  const link = await natsLink(env.NATS_URL);
  const port = await freePort();
  const { end } = spawnProgram(join(root, 'services/gateway/src/main.ts'), {
    env: { ...env, PORT: String(port), NATS_URL: link.url, LOG_LEVEL: 'warn' },
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = (path: string) => fetch(url + path).catch(() => null);
  const isUp = async () => (await answers(ready ? '/readyz' : '/livez'))?.ok ?? false;
  await waitFor(isUp, { timeoutMs: 120_000, what: 'the gateway' });
  return {
    url,
    link,
    async stop() {
      // It has nothing to finish, and a broken link would hold it back.
      await end('SIGKILL');
      await link.stop();
    },
  };
}
