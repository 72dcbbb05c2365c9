import { ask } from './gateway/ask.ts';
import { median, ratioOf, rotated } from './gateway/compare.ts';
import { readSettings } from './gateway/settings.ts';
import { startWorld } from './gateway/world.ts';
import { cpuMicroseconds } from './processes.ts';

/** What a change may cost, of what the gateway cost before it. */
const aim = 1.05;
/** Rounds that do not count, until the code is compiled. */
const warmUps = 5;

const { against, rounds, requests } = readSettings(process.argv.slice(2));
const say = (line: string) => process.stdout.write(`${line}\n`);
// Leaves nothing behind: what was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

say(`# gateway: CPU of its process for a GET with a partner's keys; ${rounds} rounds of ${requests}`);
const world = await startWorld(against);
const costs = new Map<string, number[]>(world.measured.map(({ name }) => [name, []]));
try {
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const { name, url, pid } of rotated(world.measured, round)) {
      const before = cpuMicroseconds(pid);
      await ask(url, requests);
      const each = (cpuMicroseconds(pid) - before) / requests;
      if (round >= warmUps) costs.get(name)?.push(each);
    }
  }
} finally {
  await world.stop();
}

const of = (name: string) => costs.get(name) ?? [];
for (const [name, values] of costs) {
  const spread = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0)).join(' to ');
  say(
    `${name}: ${median(values).toFixed(0)} µs (${spread}), ${ratioOf(values, of('floor')).toFixed(2)} × the floor`,
  );
}
if (against !== null) {
  const ratio = ratioOf(of('this'), of('against'));
  say(`this ÷ against: ${ratio.toFixed(3)} (aim ≤ ${aim})`);
  process.exitCode = ratio <= aim ? 0 : 1;
}
