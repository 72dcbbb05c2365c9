/** What three times as many requests as the machine carries do to those that it can answer. */
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { cpuSeconds, pathOf } from './kit/processes.ts';
import { percentiles } from './kit/statistics.ts';
import type { Reply } from './requests/load.ts';
import { paceRaw, saturateRaw, type TimedReply } from './requests/raw-load.ts';
import { startWorld } from './requests/world.ts';

/** Least goodput under overload, as a share of the highest. */
const aim = 0.9;
/** Longest time until any answer, ms (ordinaryDeadlineMs). */
const latestMs = 2_500;
/** Time that the load generator itself may add, ms. */
const toleranceMs = 250;
const operation = 'get_partner_case';
const refusals = [429, 503];

const { times, seconds, connections } = numberOptions({ times: 3, seconds: 6, connections: 4_096 });
exitOnSignals();
const world = await startWorld(pathOf('.'));
try {
  const { system } = world.targets;
  await saturateRaw(system, operation, { connections: 32, ms: 2_000 });
  const beforePeak = readCpu();
  const peak = await saturateRaw(system, operation, { connections: 32, ms: seconds * 1_000 });
  reportCpu('at the peak', beforePeak);
  const rate = peak.perSecond * times;
  say(
    `# overload: ${operation} at ${rate.toFixed(0)}/s, ${times} times the peak of ${peak.perSecond.toFixed(0)}/s`,
  );
  const beforeOverload = readCpu();
  const replies = await paceRaw(system, operation, { rate, ms: seconds * 1_000, connections });
  reportCpu('under overload', beforeOverload);
  // An answer after the last request would be given without overload, too.
  const isGood = ({ status, ms, atMs }: TimedReply) =>
    status === 200 && ms <= latestMs && atMs <= seconds * 1_000;
  const goodput = replies.filter(isGood).length / seconds;
  const share = goodput / peak.perSecond;
  const honest = replies.filter(isHonest).length / replies.length;
  table(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, of]) => {
      const { p50, p99, max } = percentiles(of.map(({ ms }) => ms));
      return {
        status: status === 0 ? 'no answer' : status,
        requests: of.length,
        'p50 ms': p50.toFixed(0),
        'p99 ms': p99.toFixed(0),
        'max ms': max.toFixed(0),
      };
    }),
  );
  say(`goodput ${goodput.toFixed(0)}/s: ${share.toFixed(2)} of the peak (aim ≥ ${aim})`);
  say(`200, 429 or 503 within ${latestMs} ms: ${(honest * 100).toFixed(1)} %`);
  process.exitCode = share >= aim && honest === 1 ? 0 : 1;
} finally {
  await world.stop();
}

type Cpu = { at: number; seconds: Record<string, number> };

/** CPU time so far of this process, which sends the requests, and of the system, by process. */
function readCpu(): Cpu {
  const pids = { generator: process.pid, ...world.pids };
  const used = Object.entries(pids).map(([name, pid]) => [name, cpuSeconds(pid)] as const);
  return { at: performance.now(), seconds: Object.fromEntries(used) };
}

function reportCpu(when: string, before: Cpu): void {
  const after = readCpu();
  const elapsedS = (after.at - before.at) / 1_000;
  const shares = Object.entries(after.seconds).map(([name, used]) => {
    return `${name} ${((used - (before.seconds[name] ?? 0)) / elapsedS).toFixed(2)}`;
  });
  say(`cores ${when}: ${shares.join(', ')}`);
}

function isHonest({ status, ms }: Reply): boolean {
  return (status === 200 || refusals.includes(status)) && ms <= latestMs + toleranceMs;
}
