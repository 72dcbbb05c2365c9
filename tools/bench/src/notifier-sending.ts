/** What one status mail costs, beside a bare nodemailer pool in the same run. */
import { join } from 'node:path';
import { startSibling, waitFor } from '@casewatch/testing';
import mongoose from 'mongoose';
import { say } from './kit/cli.ts';
import { cpuSeconds, end, pathOf, startProcess } from './kit/processes.ts';
import { startServers } from './kit/servers.ts';
import { anUpdate, aUser, environment } from './notifier-sending/world.ts';

const count = Number(process.argv[2] ?? 500);
const patience = { timeoutMs: 600_000, intervalMs: 100 };
const folder = join(import.meta.dirname, 'notifier-sending');

const servers = await startServers();
const sink = await startProcess(join(folder, 'sink-main.ts'), {}, { readyText: '"ready"' });
const { ready: smtpUrl } = JSON.parse(sink.readyLine) as { ready: string };
const [identity, cases, monitor] = await Promise.all([
  startSibling('identity', servers.mongo, servers.nats),
  startSibling('cases', servers.mongo, servers.nats),
  startSibling('monitor', servers.mongo, servers.nats),
]);
identity.bus.serve('identity.recipients', async ({ user_ids }) => ({
  users: user_ids.map(aUser),
  partners: [],
}));
cases.bus.serve('cases.active', async ({ case_ids }) => ({ case_ids }));
for (let i = 0; i < count; i += 10)
  await Promise.all(
    Array.from({ length: Math.min(10, count - i) }, (_, j) =>
      monitor.publish('status.updated', anUpdate(i + j + 1)),
    ),
  );
const mongoUrl = servers.mongo.url('notifier');
const client = await new mongoose.mongo.MongoClient(mongoUrl).connect();
const requests = async () =>
  (await client.db('admin').command({ serverStatus: 1 })).network.numRequests as number;

const service = await startProcess(pathOf('services/notifier/src/main.ts'), {
  ...environment({ smtpUrl, mongoUrl }),
  ...servers.nats.user('notifier'),
});
const started = performance.now();
const before = { cpu: cpuSeconds(service.pid), requests: await requests() };
const rows = client.db().collection('notifications');
await waitFor(async () => (await rows.countDocuments({ status: 'sent' })) >= count, patience);
const ms = performance.now() - started;
const cpuMs = ((cpuSeconds(service.pid) - before.cpu) * 1_000) / count;
const requestsPerMail = ((await requests()) - before.requests) / count;
await end(service);

const bare = await startProcess(
  join(folder, 'bare-main.ts'),
  { SMTP_URL: smtpUrl, COUNT: String(count), HTML: 'x'.repeat(4_000) },
  { readyText: '"done"' },
);
const control = JSON.parse(bare.readyLine) as { cpuMs: number; ms: number };
const bareCpuMs = control.cpuMs / count;
say(`mails               ${count}`);
say(
  `rate                ${Math.round((count / ms) * 1_000)} /s, bare pool ${Math.round((count / control.ms) * 1_000)} /s`,
);
say(`CPU of the notifier ${cpuMs.toFixed(2)} ms a mail, ${(cpuMs / bareCpuMs).toFixed(1)} x the bare pool`);
say(`MongoDB requests    ${requestsPerMail.toFixed(1)} a mail, all clients`);
await client.close();
await end(sink);
await Promise.all([identity.stop(), cases.stop(), monitor.stop()]);
await servers.stop();
