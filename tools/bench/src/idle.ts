/** What the system costs while nobody uses it: CPU and wake-ups of each process, beside processes that do nothing. */
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type Activity,
  activityBetween,
  countsBetween,
  openCounters,
  readProcesses,
} from './idle/activity.ts';
import { startBare } from './idle/bare.ts';
import { profileOperations } from './idle/operations.ts';
import { startWorld } from './idle/world.ts';
import { exitOnSignals, say, table } from './kit/cli.ts';
import { pathOf } from './kit/processes.ts';

/** CPU of all processes of the system in a second, ms. */
const aim = 40;

const { values } = parseArgs({
  options: {
    /** Another version, which runs at the same time. */
    against: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    /** Time after the start before the measurement, s: announcements end after a minute, compilation later. */
    settling: { type: 'string', default: '150' },
    /** Afterwards mongod's profiler counts the operations by collection for this time, s. */
    profile: { type: 'string', default: '0' },
  },
});
exitOnSignals();
const own = pathOf('.');
const others = values.against === undefined ? [] : [resolve(values.against)];
const systems = new Map<string, Awaited<ReturnType<typeof startSystem>>>();
for (const checkout of [own, ...others])
  systems.set(checkout === own ? 'this' : 'against', await startSystem(checkout));
const bare = await startBare();
await delay(Number(values.settling) * 1_000);

const bareBefore = readProcesses(bare.pids);
const before = await readAll();
await delay(Number(values.seconds) * 1_000);
const after = await readAll();
const bareActivity = activityBetween(bareBefore, readProcesses(bare.pids));

const sums = [...systems.keys()].map((name) => report(name));
for (const [name, { counters }] of systems) {
  if (Number(values.profile) === 0) continue;
  say(`\n## ${name}: operations by mongod's profiler, each second`);
  for (const [operation, count] of await profileOperations(counters.client, Number(values.profile)))
    say(`- ${count.toFixed(2)} ${operation}`);
}
for (const { counters, world } of systems.values()) {
  await counters.close();
  await world.stop();
}
await bare.stop();
const isMet = (sums[0] ?? 0) <= aim;
say(`\naim: all processes of the system ≤ ${aim} ms of CPU a second: ${isMet ? 'met' : 'NOT met'}`);
process.exitCode = isMet ? 0 : 1;

async function startSystem(checkout: string) {
  const world = await startWorld(checkout);
  return { world, counters: await openCounters(world) };
}

async function readAll() {
  const readings = new Map<string, Awaited<ReturnType<typeof read>>>();
  for (const [name, system] of systems) readings.set(name, await read(system));
  return readings;
}

async function read({ world, counters }: Awaited<ReturnType<typeof startSystem>>) {
  return { counts: await counters.read(), processes: readProcesses(world.pids) };
}

/** Returns the CPU of all processes, ms a second. */
function report(name: string): number {
  const [start, end] = [before.get(name), after.get(name)];
  if (!start || !end) throw new Error(`${name} was not read`);
  const activity = activityBetween(start.processes, end.processes);
  const { commands, messages } = countsBetween(start.counts, end.counts);
  const rows = [...activity].map(([process, of]) => row(process, of, bareActivity.get(process)));
  say(`\n## ${name}: idle for ${values.seconds} s`);
  table([...rows, row('sum', sumOf(activity), sumOf(bareActivity))]);
  const ofMongo = commands.map(([command, count]) => `${command} ${count.toFixed(2)}`);
  say(`MongoDB commands a second: ${ofMongo.join(', ')}; NATS messages a second: ${messages.toFixed(1)}`);
  return sumOf(activity).cpuMs;
}

function row(process: string, { cpuMs, wakeUps }: Activity, bareOf: Activity | undefined) {
  return {
    process,
    'CPU ms/s': cpuMs.toFixed(1),
    'wake-ups/s': wakeUps.toFixed(0),
    'bare: CPU ms/s': bareOf?.cpuMs.toFixed(1) ?? '',
    'bare: wake-ups/s': bareOf?.wakeUps.toFixed(0) ?? '',
  };
}

function sumOf(activity: ReadonlyMap<string, Activity>): Activity {
  const all = [...activity.values()];
  const sum = (read: (of: Activity) => number) => all.reduce((total, of) => total + read(of), 0);
  return { cpuMs: sum(({ cpuMs }) => cpuMs), wakeUps: sum(({ wakeUps }) => wakeUps) };
}
