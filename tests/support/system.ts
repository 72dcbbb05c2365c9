import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { tempFolder, waitFor } from '@casewatch/testing';
import { describe } from '@jest/globals';

export type Partner = { id: number; api_key: string; api_secret: string };

/** dev.json, as docs say that scripts may rely on it. */
export type DevFile = {
  gateway_url: string;
  mail_url: string;
  uscis_url: string;
  twilio_url: string;
  receiver_url: string;
  mongodb_url: string;
  partner: Partner;
  other_partner: Partner;
  services: Record<string, { url: string; pid: number }>;
};

export type System = {
  /** Read anew at each call: pids change when a service is restarted. */
  dev(): DevFile;
  dataDir: string;
  /** Everything that the start printed so far. */
  output(): string;
  /** Ctrl-C, and the exit code. */
  stop(): Promise<number | null>;
};

/**
 * The process of a service, to be killed.
 * @throws Error where the system is not one of this test's own: there is no process then, and 0 would be the caller's
 */
export function pidOf(system: System, service: string): number {
  const pid = system.dev().services[service]?.pid;
  if (!pid) throw new Error(`no process of ${service} is known`);
  return pid;
}

const root = join(import.meta.dirname, '../..');

/** dev.json of a system that runs already, in containers or a cluster: the tests go there and start none. */
const elsewhere = process.env.CASEWATCH_DEV_JSON;

/** For tests that kill processes, read logs or turn settings: skipped, by name, where the system is not one of their own. */
export const describeOwnSystem = elsewhere ? describe.skip : describe;

/**
 * The whole system, as a newcomer starts it, on ports and data of its own; `env` turns what npm start lets one turn.
 * Rate limits are raised unless it says otherwise: tests poll as no partner would, and are about other things.
 */
export async function startSystem(env: Record<string, string> = {}): Promise<System> {
  if (elsewhere) return systemAt(elsewhere);
  const data = await tempFolder();
  const base = await freePortBase();
  let output = '';
  const child = spawn(process.execPath, [join(root, 'tools/dev/start.mjs')], {
    cwd: root,
    env: {
      ...process.env,
      PORT_BASE: String(base),
      CASEWATCH_DATA: data.path,
      NODE_OPTIONS: '',
      RATE_LIMIT_SCALE: '100',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  const file = join(data.path, 'dev.json');
  await waitFor(() => existsSync(file) || child.exitCode !== null, { timeoutMs: 120_000, what: 'the start' });
  if (child.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
  return {
    dev: () => JSON.parse(readFileSync(file, 'utf8')) as DevFile,
    dataDir: data.path,
    output: () => output,
    async stop() {
      const code = await interrupt(child);
      await data.remove();
      return code;
    },
  };
}

/** It was there before the tests, and stays. */
function systemAt(file: string): System {
  return {
    dev: () => JSON.parse(readFileSync(file, 'utf8')) as DevFile,
    dataDir: dirname(file),
    output: () => '',
    stop: async () => 0,
  };
}

async function interrupt(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
  return child.exitCode;
}

/** A base with thirteen free ports after it; beyond the usual 4000, below the ephemeral range. */
async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 12_000 + Math.floor(Math.random() * 900) * 20;
    const free = await Promise.all(Array.from({ length: 13 }, (_, i) => isFree(base + i)));
    if (free.every(Boolean)) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
