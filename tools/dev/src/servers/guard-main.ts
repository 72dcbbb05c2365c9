/** The guard's process (guard.ts): reads lines `+pid` and `-pid`, and ends the remaining processes at the end of input. */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './is-alive.ts';

const GRACE_MS = 5_000;
const POLL_MS = 50;
const pids = new Set<number>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) pids.add(pid);
  else pids.delete(pid);
}
for (const pid of pids) send(pid, 'SIGTERM');
const deadline = Date.now() + GRACE_MS;
while ([...pids].some(isAlive) && Date.now() < deadline) await delay(POLL_MS);
for (const pid of [...pids].filter(isAlive)) send(pid, 'SIGKILL');

/** A frozen process takes SIGTERM after SIGCONT. */
function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
    process.kill(pid, 'SIGCONT');
  } catch {
    pids.delete(pid); // It has ended by itself.
  }
}
