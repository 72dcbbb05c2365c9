/** What one status mail costs, beside a bare nodemailer pool in the same run. */
import { join } from 'node:path';
import { waitFor } from '@casewatch/testing';
import { exitOnSignals, numberOptions, say } from './kit/cli.ts';
import { cpuSeconds, end, startProcess } from './kit/processes.ts';
import { startWorld } from './notifier/world.ts';

const { mails: count, answer, unanswered } = numberOptions({ mails: 500, answer: 0, unanswered: 1 });
exitOnSignals();
const patience = { timeoutMs: 600_000, intervalMs: 100 };

const world = await startWorld({ NOTIFY_UNANSWERED_MAILS: String(unanswered) }, { answerMs: answer });
await world.publish(1, count);
const service = await world.startNotifier();
const started = performance.now();
const before = { cpu: cpuSeconds(service.pid), requests: await world.requests() };
const rows = world.db.collection('notifications');
await waitFor(async () => (await rows.countDocuments({ status: 'sent' })) >= count, patience);
const ms = performance.now() - started;
const cpuMs = ((cpuSeconds(service.pid) - before.cpu) * 1_000) / count;
const requestsPerMail = ((await world.requests()) - before.requests) / count;
await end(service);

const bare = await startProcess(
  join(import.meta.dirname, 'notifier/bare-main.ts'),
  { SMTP_URL: world.smtpUrl, COUNT: String(count), HTML: 'x'.repeat(4_000) },
  { readyText: '"done"' },
);
const control = JSON.parse(bare.readyLine) as { cpuMs: number; ms: number };
const bareCpuMs = control.cpuMs / count;
say(`mails               ${count}, answered after ${answer} ms, ${unanswered} unanswered`);
say(
  `rate                ${Math.round((count / ms) * 1_000)} /s, bare pool ${Math.round((count / control.ms) * 1_000)} /s`,
);
say(`CPU of the notifier ${cpuMs.toFixed(2)} ms a mail, ${(cpuMs / bareCpuMs).toFixed(1)} x the bare pool`);
say(`MongoDB requests    ${requestsPerMail.toFixed(1)} a mail, all clients`);
await world.stop();
