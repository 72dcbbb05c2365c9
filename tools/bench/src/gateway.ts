/** CPU that the gateway needs for a GET with API keys, against a bare proxy (the floor), with traces, and against another checkout. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sendGets, startWorld } from './gateway/world.ts';
import { exitOnSignals, say, table } from './kit/cli.ts';
import { cpuMicroseconds } from './kit/processes.ts';
import { median, ratioOf, rotated } from './kit/statistics.ts';

/** Highest cost of a change, as a factor of the cost before it. */
const aim = 1.05;
/** Highest cost with traces of every tenth request, as a factor of the cost without. */
const tracedAim = 1.2;
/** Rounds that do not count, while the code is compiled. */
const warmUps = 5;

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '60' },
    requests: { type: 'string', default: '1000' },
  },
});
const [rounds, requests] = [Number(values.rounds), Number(values.requests)];
exitOnSignals();

say(`# gateway: CPU of its process for a GET with API keys; ${rounds} rounds of ${requests} requests`);
const world = await startWorld(values.against === undefined ? null : resolve(values.against));
const costs = new Map<string, number[]>(world.measured.map(({ name }) => [name, []]));
try {
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const { name, url, pid } of rotated(world.measured, round)) {
      const before = cpuMicroseconds(pid);
      await sendGets(url, requests);
      if (round >= warmUps) costs.get(name)?.push((cpuMicroseconds(pid) - before) / requests);
    }
  }
} finally {
  await world.stop();
}

const costsOf = (name: string) => costs.get(name) ?? [];
table(
  [...costs].map(([name, values]) => ({
    process: name,
    'median µs': median(values).toFixed(0),
    'least to most µs': `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`,
    'of the floor': `${ratioOf(values, costsOf('floor')).toFixed(2)} ×`,
  })),
);
function compare(name: string, other: string, aim: number): void {
  const ratio = ratioOf(costsOf(name), costsOf(other));
  say(`${name} ÷ ${other}: ${ratio.toFixed(3)} (aim ≤ ${aim})`);
  if (ratio > aim) process.exitCode = 1;
}
compare('traced', 'this', tracedAim);
if (values.against !== undefined) compare('this', 'against', aim);
