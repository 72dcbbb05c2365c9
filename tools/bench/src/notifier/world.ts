import { join } from 'node:path';
import { aPerson, servePeople, startSibling } from '@casewatch/testing';
import mongoose from 'mongoose';
import { end, pathOf, type Running, startProcess } from '../kit/processes.ts';
import { startServers } from '../kit/servers.ts';
import { anUpdate, environment } from './events.ts';
import type { Mail } from './sink-main.ts';

/** Parallel publications. */
const inFlight = 10;

/** Real servers, stand-ins of the other services, and a mail server that keeps nothing. The notifier is not started yet. */
export async function startWorld(over: Record<string, string> = {}, { answerMs = 0 } = {}) {
  const servers = await startServers();
  const sink = await startProcess(
    join(import.meta.dirname, 'sink-main.ts'),
    { ANSWER_MS: String(answerMs) },
    { readyText: '"smtpUrl"' },
  );
  const { smtpUrl, controlUrl } = JSON.parse(sink.readyLine) as { smtpUrl: string; controlUrl: string };
  const [identity, cases, monitor] = await Promise.all([
    startSibling('identity', servers.nats),
    startSibling('cases', servers.nats),
    startSibling('monitor', servers.nats),
  ]);
  const email_verified_at = '2026-11-01T10:00:00.000Z';
  servePeople(identity.bus, (id) => aPerson(id, { partner_id: null, email_verified_at }));
  cases.bus.serve('cases.active', async ({ case_ids }) => ({ case_ids }));
  const mongoUrl = servers.mongo.url('notifier');
  const client = await new mongoose.mongo.MongoClient(mongoUrl).connect();
  const read = async <T>(path: string) => (await (await fetch(controlUrl + path)).json()) as T;

  return {
    smtpUrl,
    mongod: servers.mongo.pid ?? 0,
    db: client.db(),
    mails: () => read<Mail[]>('/'),
    mailCount: () => read<number>('/count'),
    requests: async () =>
      (await client.db('admin').command({ serverStatus: 1 })).network.numRequests as number,
    /** Updates `first`, `first + 1` …, each of another user and case. */
    async publish(first: number, count: number): Promise<void> {
      for (let i = 0; i < count; i += inFlight)
        await Promise.all(
          Array.from({ length: Math.min(inFlight, count - i) }, (_, j) =>
            monitor.publish('status.updated', anUpdate(first + i + j)),
          ),
        );
    },
    /** Identity asks for the mail with a login code. */
    async askForCode(to: string, number: number): Promise<void> {
      const expires_at = new Date(Date.now() + 600_000).toISOString();
      const message_id = `bench-code-${number}`;
      const mail = {
        message_id,
        to,
        language: 'en',
        expires_at,
        kind: 'login_code',
        code: '123456',
      } as const;
      await identity.bus.request('notifier.send', mail);
    },
    startNotifier(onLine?: (line: string) => void): Promise<Running> {
      const env = { ...environment({ smtpUrl, mongoUrl }), ...servers.nats.user('notifier'), ...over };
      return startProcess(pathOf('services/notifier/src/main.ts'), env, { ...(onLine && { onLine }) });
    },
    async stop(): Promise<void> {
      await client.close();
      await end(sink);
      await Promise.all([identity.stop(), cases.stop(), monitor.stop()]);
      await servers.stop();
    },
  };
}
