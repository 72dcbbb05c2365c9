import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DevFile, startOwnSystem } from '@casewatch/dev/own-system';
import { tempFolder } from '@casewatch/testing';
import { shared } from '@casewatch/testing/shared';
import { describe, expect } from '@jest/globals';
import { startSystemInProcess } from './system-in-process.ts';

export type { DevFile };

export type System = {
  /** Read at each call: pids change when a service is restarted. */
  dev(): DevFile;
  dataDir: string;
  /** Ends the system, and gives its exit code. */
  stop(): Promise<number | null>;
};

/**
 * The process of a service, to be killed.
 * @throws Error where the system is not one of this test's own: there is no process then, and 0 would be the caller's
 */
export function pidOf(system: System, service: keyof DevFile['services']): number {
  const { pid } = system.dev().services[service] ?? {};
  if (!pid) throw new Error(`no process of ${service} is known`);
  return pid;
}

/** Shorter than in production: tests do not measure the time of an answer, and wait for what is tried again. */
const shortWaits = { ADDRESS_BATCH_MS: '50', NOTIFY_RETRY_SCALE: '0.05' };

/** dev.json of a system that runs already, in containers or a cluster: the tests go there and start none. */
const elsewhere = process.env.CASEWATCH_DEV_JSON;

/** For tests that kill processes, read logs or turn settings: skipped, by name, where the system is not one of their own. */
export const describeOwnSystem = elsewhere ? describe.skip : describe;

/**
 * The whole system, as a newcomer starts it, on ports and data of its own; `env` turns what npm start lets one turn.
 * Rate limits are raised unless it says otherwise: tests poll as no partner would, and are about other things.
 */
async function startSystem(env: Record<string, string> = {}, args: string[] = []): Promise<System> {
  // A system elsewhere was there before the tests, and stays.
  if (elsewhere) return { ...systemIn(dirname(elsewhere)), stop: async () => 0 };
  const folder = await tempFolder();
  const settings = {
    ...process.env,
    // Those of jest are not for a system.
    NODE_OPTIONS: '',
    RATE_LIMIT_SCALE: '300',
    ...shortWaits,
    // A third of the checks of `npm start`, which take a third of the CPU of an idle system.
    MONITOR_INTERVAL_SCALE: '0.0004',
    OTEL_SDK_DISABLED: 'true',
    ...env,
  };
  const { stop } = await startOwnSystem(folder.path, settings, { args });
  return {
    ...systemIn(folder.path),
    async stop() {
      const code = await stop();
      await folder.remove();
      return code;
    },
  };
}

/**
 * The system in the process of the tests: for tests that neither kill a service nor read its log. It starts in a second and
 * has no demo data. `env` as for `startSystem`.
 */
export async function startSystemHere(env: Record<string, string> = {}): Promise<System> {
  if (elsewhere) return await startSystem();
  const { dataDir, stop } = await startSystemInProcess({ RATE_LIMIT_SCALE: '300', ...shortWaits, ...env });
  return { ...systemIn(dataDir), stop: () => stop().then(() => 0) };
}

/** The system in this process that the tests of a file share; it is stopped after the last of them. */
export const sharedSystem = sharedBy(startSystemHere);

/** The system of processes that the tests of a file share. */
export const sharedSystemOfProcesses = sharedBy(startSystem);

/** All services in one process, with metrics and traces, that the tests of a file share. */
export const sharedSystemOfOneProcess = sharedBy(() =>
  startSystem({ OTEL_SDK_DISABLED: 'false', DRAIN_MS: '4000' }, ['--one-process']),
);

/** The system of processes with the limits of production, which traces every request, that the tests of a file share. */
export const sharedLimitedSystem = sharedBy(() =>
  startSystem({ RATE_LIMIT_SCALE: '1', OTEL_SDK_DISABLED: 'false', OTEL_TRACES_SAMPLER: 'always_on' }),
);

function sharedBy(start: () => Promise<System>): () => Promise<System> {
  return shared(async () => {
    const system = await start();
    return {
      value: { ...system, stop: async () => 0 },
      stop: async () => expect(await system.stop()).toBe(0),
    };
  });
}

export function systemIn(dataDir: string) {
  const file = elsewhere ?? join(dataDir, 'dev.json');
  return { dataDir, dev: () => JSON.parse(readFileSync(file, 'utf8')) as DevFile };
}
