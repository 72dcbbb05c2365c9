/** G14: memory and CPU of the idle system, beside mongod, nats-server and as many Node processes that do nothing. */
import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '@casewatch/contracts';
import { exactCpuMs, judge, numberOptions, pssMiB, say } from './kit/report.ts';
import { startServer } from './kit/servers.ts';
import { withSystem } from './kit/system.ts';

/** Announcements end a minute after the start, compilation later. */
const { seconds, settling } = numberOptions({ seconds: 60, settling: 150 });

await withSystem(`idle: ${seconds} s, ${settling} s after the start`, {}, async (system) => {
  const servers = [await startServer('mongod'), await startServer('nats-server')];
  const idle = await Promise.all(serviceNames.map(() => system.floor('idle')));
  const sides = { system: system.pids(), bare: [...servers, ...idle].map(({ pid }) => pid) };
  await delay(settling * 1_000);
  const cpu = () => ({ system: sum(sides.system, exactCpuMs), bare: sum(sides.bare, exactCpuMs) });
  const before = cpu();
  await delay(seconds * 1_000);
  const after = cpu();
  const used = { system: after.system - before.system, bare: after.bare - before.bare };
  const memory = { system: sum(sides.system, pssMiB), bare: sum(sides.bare, pssMiB) };
  for (const server of servers) await server.stop();
  say(`memory (PSS): system ${memory.system.toFixed(0)} MiB, bare ${memory.bare.toFixed(0)} MiB`);
  say(`CPU in ${seconds} s: system ${used.system.toFixed(0)} ms, bare ${used.bare.toFixed(0)} ms`);
  judge('G14 memory ÷ bare processes', memory.system / memory.bare, { atMost: 3 });
  judge('G14 idle CPU ÷ bare processes', used.system / used.bare, { atMost: 10 });
});

function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0);
}
