import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, waitFor } from '@casewatch/testing';
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
  const child = spawn(process.execPath, ['services/gateway/src/main.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env, PORT: String(port), NATS_URL: link.url, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = (path: string) => fetch(url + path).catch(() => null);
  const isUp = async () => (await answers(ready ? '/readyz' : '/livez'))?.ok ?? false;
  await waitFor(isUp, { timeoutMs: 120_000, what: 'the gateway' });
  return {
    url,
    link,
    async stop() {
      await end(child);
      await link.stop();
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // It has nothing to finish, and a broken link would hold it back.
  child.kill('SIGKILL');
  await exited;
}
