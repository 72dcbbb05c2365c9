/** Whether every update reaches its person while the notifier is killed at random, and which mails come twice. */
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { exitOnSignals, numberOptions, say } from './kit/cli.ts';
import { end } from './kit/processes.ts';
import { randomFrom } from './kit/random.ts';
import { startWorld } from './notifier/world.ts';
import { monotonicMs } from './webhooks/monotonic.ts';

const patience = { timeoutMs: 300_000, intervalMs: 200 };
/** From the start of a process to its kill, ms. */
const lifeMs = { shortest: 50, longest: 2_000 };
/** After a kill, what the process wrote arrives within this time; the next process needs longer to start, ms. */
const arrivalMs = 250;

const options = { updates: 10_000, kills: 200, seed: 1, unanswered: 1, answer: 0 };
const { updates, kills, seed, unanswered, answer } = numberOptions(options);
exitOnSignals();
const random = randomFrom(seed);
// The longest timeout with which the claims of a killed process end after 5 s.
const times = { NOTIFY_SEND_TIMEOUT_MS: '2500', NOTIFY_RETRY_SCALE: '0.01' };
const world = await startWorld(
  { ...times, NOTIFY_UNANSWERED_MAILS: String(unanswered) },
  { answerMs: answer },
);
const rows = world.db.collection<{ _id: string; status_update_id: number; channel: string }>('notifications');
/** Ids of notifications that the notifier itself called ambiguous. */
const ambiguous = new Set<string>();
/** Of these, notifications without an answer of the mail server in time: no kill made them ambiguous. */
const timedOut = new Set<string>();
let interruptions = 0;
const killedAt: number[] = [];
const onLine = (line: string) => {
  if (!line.includes('"outcome":"ambiguous"')) return;
  const { notification } = JSON.parse(line) as { notification: string };
  ambiguous.add(notification);
  if (line.includes('message not accepted')) timedOut.add(notification);
  interruptions += 1;
};
try {
  let service = await world.startNotifier(onLine);
  const perKill = Math.ceil(updates / (kills + 1));
  let published = 0;
  for (let i = 0; i < kills; i++) {
    const count = Math.min(perKill, updates - published);
    const publishing = world.publish(published + 1, count);
    published += count;
    await delay(lifeMs.shortest + random() * (lifeMs.longest - lifeMs.shortest));
    await end(service, 'SIGKILL');
    killedAt.push(monotonicMs());
    service = await world.startNotifier(onLine);
    await publishing;
  }
  await world.publish(published + 1, updates - published);
  const sent = { channel: 'email', status: 'sent' };
  await waitFor(async () => (await rows.countDocuments(sent)) >= updates, patience);
  await end(service);
  const arrivals = new Map<string, number[]>();
  for (const { id, at } of await world.mails()) arrivals.set(id, [...(arrivals.get(id) ?? []), at]);
  const idOf = (messageId: string) => `${Number.parseInt(messageId.slice(1), 10)}:email`;
  const arrived = new Set([...arrivals.keys()].map(idOf));
  const missing = Array.from({ length: updates }, (_, i) => `${i + 1}:email`).filter(
    (id) => !arrived.has(id),
  );
  const doubles = [...arrivals].filter(([, times]) => times.length > 1);
  const unexplained = doubles.filter(([id]) => !ambiguous.has(idOf(id)));
  /** The number of kills before the arrival of each copy that was sent again. */
  const repeated = doubles.flatMap(([id, times]) =>
    timedOut.has(idOf(id))
      ? []
      : times.slice(0, -1).map((at) => killedAt.filter((killed) => killed + arrivalMs <= at).length),
  );
  const ofKill = Map.groupBy(repeated, (kill) => kill);
  const most = Math.max(0, ...[...ofKill.values()].map(({ length }) => length));
  say(`${updates} updates, ${kills} kills, seed ${seed}: ${missing.length} missing`);
  say(
    `mails that came again: ${repeated.length} of ${doubles.length} updates, ${(repeated.length / kills).toFixed(2)} a kill, at most ${most}`,
  );
  const late = doubles.filter(([id]) => timedOut.has(idOf(id))).length;
  say(`besides, after the mail server did not answer in time: ${late} of ${timedOut.size} such updates`);
  say(`called ambiguous: ${interruptions}; doubles that were not: ${unexplained.length}`);
  for (const [id, times] of unexplained)
    say(`  ${idOf(id)}: ${times.map((at) => Math.round(at)).join(', ')} ms`);
  if (missing.length > 0 || unexplained.length > 0 || most > unanswered) process.exitCode = 1;
} finally {
  await world.stop();
}
