import { setTimeout as delay } from 'node:timers/promises';
import type { ExitStatus } from './servers/index.ts';

export interface Running {
  pid: number;
  exited: Promise<ExitStatus>;
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  name: string;
  first: Running;
  relaunch: () => Promise<Running>;
  /** Gets the pid of the new process. */
  onRestart: (pid: number) => void;
  say: (line: string) => void;
}

export interface Supervised {
  pid(): number;
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A process that ran this long restarts after the shortest pause. */
const HEALTHY_MS = 30_000;

/** Restarts a process after a crash, with pauses that grow from 0.2 s to 5 s. */
export function supervise({ name, first, relaunch, onRestart, say }: SuperviseOptions): Supervised {
  const stopping = new AbortController();
  let running = first;

  const restartAfterCrashes = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    let startedAtMs = performance.now();
    for (;;) {
      const status = await running.exited;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAtMs > HEALTHY_MS) pauseMs = FIRST_PAUSE_MS;
      say(`${name} ended (${describe(status)}); it is started again in ${pauseMs / 1000} s`);
      // stop() cuts the pause short.
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      if (stopping.signal.aborted) return;
      startedAtMs = performance.now();
      try {
        running = await relaunch();
        if (stopping.signal.aborted) return await running.stop();
        onRestart(running.pid);
        say(`${name} runs again (pid ${running.pid})`);
      } catch (err) {
        say(`${name} could not be started: ${err instanceof Error ? err.message : String(err)}`);
      }
    }
  };
  const loop = restartAfterCrashes();

  return {
    pid: () => running.pid,
    stop: async () => {
      stopping.abort();
      await running.stop();
      // A restart in progress ends the new process.
      await loop;
    },
  };
}

function describe({ code, signal }: ExitStatus): string {
  return signal ?? `exit code ${code}`;
}

/** Starts programs in parallel; `stack` stops them, also if one of them fails to start. */
export async function startTogether(
  stack: AsyncDisposableStack,
  starting: Promise<Supervised>[],
): Promise<void> {
  const results = await Promise.allSettled(starting);
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  stack.defer(async () => {
    await Promise.all(started.map((supervised) => supervised.stop()));
  });
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
