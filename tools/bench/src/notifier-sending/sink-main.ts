/** An SMTP server that counts mails and keeps nothing; prints its address, and answers each line with the count. */
import { createInterface } from 'node:readline';
import { SMTPServer } from 'smtp-server';

let count = 0;
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, _session, reply) => {
    stream.on('end', () => {
      count += 1;
      reply();
    });
    stream.resume();
  },
});
server.listen(0, '127.0.0.1', () => {
  const address = server.server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  process.stdout.write(`${JSON.stringify({ ready: `smtp://127.0.0.1:${port}` })}\n`);
});
createInterface({ input: process.stdin }).on('line', () =>
  process.stdout.write(`${JSON.stringify({ count })}\n`),
);
