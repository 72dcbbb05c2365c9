/** An SMTP server that keeps only when which mail came, and answers after ANSWER_MS. Prints its addresses as JSON; GET gives the mails. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { monotonicMs } from '../webhooks/monotonic.ts';

export type Mail = { id: string; to: string; at: number };

const mails: Mail[] = [];
const answerMs = Number(process.env.ANSWER_MS ?? 0);
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, { envelope }, reply) => {
    let head = '';
    stream.on('data', (part: Buffer) => {
      if (head.length < 4_096) head += part.toString('latin1');
    });
    stream.on('end', () => {
      const id = /^message-id: (.+?)\r?$/im.exec(head)?.[1] ?? '';
      mails.push({ id, to: envelope.rcptTo[0]?.address ?? '', at: monotonicMs() });
      if (answerMs > 0) setTimeout(reply, answerMs);
      else reply();
    });
  },
});
// A killed client resets its connection.
server.on('error', ({ message }) => process.stderr.write(`connection lost: ${message}\n`));
const control = createServer((req, res) => {
  res.end(JSON.stringify(req.url === '/count' ? mails.length : mails));
});
server.listen(0, '127.0.0.1', () =>
  control.listen(0, '127.0.0.1', () => {
    const portOf = (address: unknown) => (address as AddressInfo).port;
    const ready = {
      smtpUrl: `smtp://127.0.0.1:${portOf(server.server.address())}`,
      controlUrl: `http://127.0.0.1:${portOf(control.address())}`,
    };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  }),
);
