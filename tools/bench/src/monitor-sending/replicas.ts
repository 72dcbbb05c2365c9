import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** One monitor, a process of its own. */
export type Replica = { child: ChildProcess; ended: Promise<unknown> };

/** The one that took the lease last, and when (ms since 1970). */
export type Holder = { replica: Replica; sinceMs: number };

/** Monitors, and which of them sends. */
export type Replicas = {
  start(): Promise<Replica>;
  /** Waits until the lease is taken by anyone after `afterMs` (ms since 1970). */
  nextHolder(afterMs: number, withinMs: number): Promise<Holder>;
  count(): number;
  stop(): Promise<void>;
};

const main = fileURLToPath(new URL('../../../../services/monitor/src/main.ts', import.meta.url));

export function createReplicas(env: Record<string, string>): Replicas {
  const running = new Set<Replica>();
  const waiting = new Set<() => void>();
  let holder: Holder | null = null;

  function read(replica: Replica, line: string): void {
    const { msg, lease, level } = JSON.parse(line) as { msg?: string; lease?: string; level?: string };
    if (level === 'warn' || level === 'error') process.stdout.write(`  ${line}\n`);
    if (msg !== 'lease acquired' || lease !== 'sender') return;
    holder = { replica, sinceMs: Date.now() };
    for (const wake of waiting) wake();
  }

  return {
    async start() {
      const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const replica = { child, ended: once(child, 'exit') };
      running.add(replica);
      const kill = () => child.kill('SIGKILL');
      process.once('exit', kill);
      void replica.ended.then(() => process.off('exit', kill));
      void replica.ended.then(() => {
        running.delete(replica);
        if (holder?.replica === replica) holder = null;
      });
      const ready = Promise.withResolvers<void>();
      createInterface({ input: child.stdout }).on('line', (line) => {
        read(replica, line);
        if (line.includes('"msg":"ready"')) ready.resolve();
      });
      void replica.ended.then(() => ready.reject(new Error(`the monitor ended with code ${child.exitCode}`)));
      await ready.promise;
      return replica;
    },
    count: () => running.size,
    async nextHolder(afterMs, withinMs) {
      const found = Promise.withResolvers<void>();
      const look = () => {
        if (holder && holder.sinceMs > afterMs) found.resolve();
      };
      const timer = setTimeout(() => found.reject(new Error('nobody took over')), withinMs);
      waiting.add(look);
      look();
      await found.promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(look);
      });
      if (!holder) throw new Error('nobody sends');
      return holder;
    },
    async stop() {
      await Promise.all(
        [...running].map(({ child, ended }) => {
          child.kill('SIGCONT');
          child.kill('SIGTERM');
          return ended;
        }),
      );
    },
  };
}
