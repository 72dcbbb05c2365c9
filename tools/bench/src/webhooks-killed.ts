/** Whether every event reaches its endpoint with the same id and bytes while the sender is killed at random. */
import { setTimeout as delay } from 'node:timers/promises';
import { exitOnSignals, numberOptions, say } from './kit/cli.ts';
import { randomFrom } from './kit/random.ts';
import { percentiles } from './kit/statistics.ts';
import { judge } from './webhooks/judge.ts';
import { startWorld } from './webhooks/world.ts';

/** After a kill a claim ends within 8.5 s, and a message is redelivered after 10 s. */
const settlingMs = 15_000;

const { events, kills, rate, endpoints, seed } = numberOptions({
  events: 10_000,
  kills: 10,
  rate: 200,
  endpoints: 10,
  seed: 1,
});
exitOnSignals();
say(
  `# webhooks killed: ${events} events at ${rate}/s to ${endpoints} endpoints, ${kills} kills, seed ${seed}`,
);
const random = randomFrom(seed);
const world = await startWorld({ endpoints, rate: 1_000 });
try {
  const publishing = world.publish({ count: events, partners: endpoints, perSecond: rate });
  for (let i = 0; i < kills; i++) {
    await delay((random() * 2 * 1_000 * events) / rate / (kills + 1));
    await world.kill();
  }
  const published = await publishing;
  await world.arrivals(events);
  await delay(settlingMs);
  const arrivals = await world.arrivals(events);
  const { lateness, twice } = judge(published, arrivals);
  const { p50, p99, max } = percentiles(lateness);
  say(`${events} of ${events} events arrived, same bytes each time; ${twice} repetitions`);
  say(`time to arrival: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${max.toFixed(0)} ms`);
} finally {
  await world.stop();
}
