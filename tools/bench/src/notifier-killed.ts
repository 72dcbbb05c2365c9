/** Whether every update reaches its person while the notifier is killed at random, and which mails come twice. */
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { exitOnSignals, numberOptions, say } from './kit/cli.ts';
import { end } from './kit/processes.ts';
import { randomFrom } from './kit/random.ts';
import { startWorld } from './notifier/world.ts';

const patience = { timeoutMs: 300_000, intervalMs: 200 };
/** From the start of a process to its kill, ms. */
const lifeMs = { shortest: 50, longest: 2_000 };

const { updates, kills, seed } = numberOptions({ updates: 10_000, kills: 200, seed: 1 });
exitOnSignals();
const random = randomFrom(seed);
// The claims of a killed process end after 5 s.
const world = await startWorld({ NOTIFY_SEND_TIMEOUT_MS: '1000', NOTIFY_RETRY_SCALE: '0.01' });
const rows = world.db.collection<{ _id: string; status_update_id: number; channel: string }>('notifications');
/** Ids of notifications that the notifier itself called ambiguous. */
const ambiguous = new Set<string>();
let interruptions = 0;
const onLine = (line: string) => {
  if (!line.includes('"outcome":"ambiguous"')) return;
  ambiguous.add((JSON.parse(line) as { notification: string }).notification);
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
    service = await world.startNotifier(onLine);
    await publishing;
  }
  await world.publish(published + 1, updates - published);
  const sent = { channel: 'email', status: 'sent' };
  await waitFor(async () => (await rows.countDocuments(sent)) >= updates, patience);
  await end(service);
  const counts = new Map<string, number>();
  for (const { id } of await world.mails()) counts.set(id, (counts.get(id) ?? 0) + 1);
  const idOf = (messageId: string) => `${Number.parseInt(messageId.slice(1), 10)}:email`;
  const arrived = new Set([...counts.keys()].map(idOf));
  const missing = Array.from({ length: updates }, (_, i) => `${i + 1}:email`).filter(
    (id) => !arrived.has(id),
  );
  const doubles = [...counts].filter(([, count]) => count > 1);
  const unexplained = doubles.filter(([id]) => !ambiguous.has(idOf(id)));
  const extra = doubles.reduce((sum, [, count]) => sum + count - 1, 0);
  say(`${updates} updates, ${kills} kills, seed ${seed}: ${missing.length} missing`);
  say(`mails that came again: ${extra} of ${doubles.length} updates, ${(extra / kills).toFixed(2)} a kill`);
  say(`called ambiguous: ${interruptions}; doubles that were not: ${unexplained.length}`);
  if (missing.length > 0 || unexplained.length > 0) process.exitCode = 1;
} finally {
  await world.stop();
}
