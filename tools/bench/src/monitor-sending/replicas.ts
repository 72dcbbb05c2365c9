import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { end, type Running } from '../kit/processes.ts';
import { startMonitor } from '../monitor/environment.ts';

/** The replica that took the sender's lease last, and when (ms since 1970). */
export type Holder = { replica: Running; sinceMs: number };

export type Replicas = ReturnType<typeof createReplicas>;

export function createReplicas(env: Record<string, string>) {
  const running = new Set<Running>();
  let holder: Holder | null = null;

  return {
    async start(): Promise<void> {
      const acquired = Promise.withResolvers<Running>();
      const replica = await startMonitor(env, (line) => {
        const { msg, lease } = JSON.parse(line) as { msg?: string; lease?: string };
        if (msg !== 'lease acquired' || lease !== 'sender') return;
        const sinceMs = Date.now();
        // The lease may be acquired before the monitor says that it is ready.
        void acquired.promise.then((replica) => {
          holder = { replica, sinceMs };
        });
      });
      running.add(replica);
      acquired.resolve(replica);
      void replica.exited.then(() => {
        running.delete(replica);
        if (holder?.replica === replica) holder = null;
      });
    },
    count: () => running.size,
    /** Waits until a replica takes the lease after `afterMs` (ms since 1970). */
    nextHolder(afterMs: number, timeoutMs: number): Promise<Holder> {
      const isNext = () => (holder !== null && holder.sinceMs > afterMs ? holder : null);
      return waitFor(isNext, { timeoutMs, intervalMs: 20, what: 'a replica that takes the lease' });
    },
    async stop(): Promise<void> {
      for (const { child } of running) child.kill('SIGCONT');
      await Promise.all([...running].map((replica) => end(replica)));
    },
  };
}

export async function freeze({ child }: Running, ms: number): Promise<void> {
  child.kill('SIGSTOP');
  await delay(ms);
  child.kill('SIGCONT');
}
