import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, startChild } from './child.ts';
import { logTail } from './log-tail.ts';
import type { RunningServer } from './mongod.ts';

export interface NatsOptions {
  binary: string;
  dataDir: string;
  port: number;
  host?: string;
  /** Its greeting has this name. Default: a new one for each start. */
  name?: string;
  logFile: string;
  /** Text of the `accounts { … }` or `authorization { … }` block; without it every client has all rights. */
  authorization?: string;
  /** Flush to disk: `always` (default), or an interval such as `2m`. */
  syncInterval?: string;
}

const READY_MS = 15_000;
const POLL_MS = 20;

export async function startNatsServer(options: NatsOptions): Promise<RunningServer> {
  const { binary, dataDir, port, host = '127.0.0.1', name = randomUUID(), logFile } = options;
  await mkdir(dataDir, { recursive: true });
  const configFile = join(dataDir, 'nats-server.conf');
  // The file contains passwords.
  await writeFile(configFile, configText({ ...options, host, name }), { mode: 0o600 });
  const args = ['--config', configFile];
  const child = await startChild({ command: binary, args, env: process.env, logFile });
  await waitForGreeting(child, { host, port, name }).catch(async (err: Error) => {
    await child.stop(0);
    const tail = await logTail(logFile);
    throw new Error(`nats-server did not start: ${err.message}. Its last lines (${logFile}):\n${tail}`);
  });
  return { url: `nats://${host}:${port}`, pid: child.pid, exited: child.exited, stop: child.stop };
}

type Address = { host: string; port: number; name: string };

function configText(options: NatsOptions & Address) {
  const { dataDir, host, port, name, authorization = '', syncInterval = 'always' } = options;
  return [
    `server_name: ${JSON.stringify(name)}`,
    `listen: ${JSON.stringify(`${host}:${port}`)}`,
    `jetstream { store_dir: ${JSON.stringify(dataDir)}, sync_interval: ${syncInterval} }`,
    authorization,
    '',
  ].join('\n');
}

async function waitForGreeting(child: Child, address: Address): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    if (child.hasExited()) {
      const { code, signal } = await child.exited;
      throw new Error(`it ended (${signal ?? `exit code ${code}`})`);
    }
    if (await greets(address)) return;
    await delay(POLL_MS);
  }
  throw new Error(`it did not answer within ${READY_MS / 1000} s`);
}

/** A NATS server sends the first line: INFO and its name. Another server may have taken the port. */
function greets({ host, port, name }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (chunk) => {
      const line = chunk.toString('latin1');
      end(line.startsWith('INFO ') && line.includes(`"server_name":"${name}"`));
    });
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
    socket.once('close', () => end(false));
  });
}
