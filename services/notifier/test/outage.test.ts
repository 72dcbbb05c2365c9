import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const scale = 0.0015;
const hourMs = 3_600_000 * scale;
const count = 40;

/** Accepts connections and never says a word. */
async function listenSilently(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => socket.destroy())));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
}

describe('mail server and Twilio away', () => {
  let notifier: TestNotifier;
  let ports: number[];
  beforeAll(async () => {
    ports = await Promise.all([freePort(), freePort(), freePort()]);
    const [smtpPort = 0, mailPort = 0, twilioPort = 0] = ports;
    notifier = await startTestNotifier(
      { NOTIFY_RETRY_SCALE: String(scale), NOTIFY_SEND_TIMEOUT_MS: '3000' },
      { sandbox: { smtpPort, mailPort, twilioPort } },
    );
  });
  afterAll(() => notifier.stop());

  it.each([
    ['refuse', 5_000],
    ['hang', 6_000],
  ] as const)(
    'for an hour (they %s): all messages arrive once, and open circuits cost no attempt',
    async (how, firstId) => {
      const ids = Array.from({ length: count }, (_, i) => firstId + i);
      for (const id of ids) notifier.users.set(id, aUser(id, { phone: `+1202555${id}` }));
      // All are stored before the outage begins: how long that takes depends on the machine.
      notifier.away.add('identity.people');
      for (let i = 0; i < count; i += 10)
        await Promise.all(
          ids.slice(i, i + 10).map((id) => notifier.monitor.publish('status.updated', anUpdate(id, id))),
        );
      const rows = notifier.db.collection('notifications');
      const mine = { status_update_id: { $in: ids } };
      await waitFor(async () => (await rows.countDocuments(mine)) === 2 * count);
      await notifier.stopSandbox();
      const [smtpPort = 0, , twilioPort = 0] = ports;
      const silent = how === 'hang' ? await Promise.all([smtpPort, twilioPort].map(listenSilently)) : [];
      notifier.away.clear();
      const unreachable = { ...mine, last_error: /^smtp_\w+: the mail server cannot be reached$/ };
      await waitFor(() => rows.findOne(unreachable), { what: 'a refused mail' });
      await delay(hourMs);
      await Promise.all(silent.map((stop) => stop()));
      await notifier.startSandbox();
      const ended = { ...mine, status: { $nin: ['pending', 'sending'] } };
      const isDone = async () => (await rows.countDocuments(ended)) === 2 * count;
      await waitFor(isDone, { timeoutMs: 30_000, what: 'all messages' });
      const arrived = { ...mine, status: { $in: ['sent', 'delivered'] } };
      expect(await rows.countDocuments(arrived)).toBe(2 * count);
      for (const [channel, limit] of [
        ['email', 8],
        ['whatsapp', 6],
      ] as const) {
        const attempts = (await rows.find({ ...mine, channel }).toArray()).map((row) => Number(row.attempts));
        expect(Math.max(...attempts)).toBeLessThanOrEqual(limit);
        // One for each message, 20 until the circuit opens with 16 in progress, and a probe for each 30 s.
        expect(attempts.reduce((sum, tries) => sum + tries)).toBeLessThanOrEqual(count + 36 + 120);
      }
      for (const id of [firstId, firstId + count - 1]) {
        expect(await notifier.mails(`person-${id}@example.org`)).toHaveLength(1);
        expect(await notifier.messages(`+1202555${id}`)).toHaveLength(1);
      }
    },
  );

  it('goes on with what waited after a restart of its own', async () => {
    await notifier.stopSandbox();
    notifier.users.set(402, aUser(402, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(402, 402));
    await notifier.saidOf(402, 'email', 'pending');
    await notifier.stopService();
    await notifier.startService();
    await notifier.startSandbox();
    await notifier.saidOf(402, 'email', 'sent');
    expect(await notifier.mails('person-402@example.org')).toHaveLength(1);
  });
});
