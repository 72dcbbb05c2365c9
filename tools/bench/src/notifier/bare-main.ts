/** A bare nodemailer pool: sends COUNT mails to SMTP_URL and prints its CPU time. */
import { createTransport } from 'nodemailer';

const { SMTP_URL: url = '', COUNT = '0', HTML = '' } = process.env;
const transport = createTransport({ url, pool: true, maxConnections: 16, maxMessages: 100 });
const send = (i: number) =>
  transport.sendMail({
    from: 'no-reply@casewatch.example',
    to: `person-${i}@example.org`,
    subject: 'Update on your case',
    text: HTML,
    html: HTML,
  });
await send(0);
const before = process.cpuUsage();
const started = performance.now();
await Promise.all(Array.from({ length: Number(COUNT) }, (_, i) => send(i)));
const { user, system } = process.cpuUsage(before);
const cpuMs = (user + system) / 1_000;
process.stdout.write(`${JSON.stringify({ done: true, cpuMs, ms: performance.now() - started })}\n`);
transport.close();
