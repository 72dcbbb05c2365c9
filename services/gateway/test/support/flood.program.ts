import { connect, type Socket } from 'node:net';
import type { Flood, FloodEnd } from './flood.ts';

/** The flood of `flood.ts`; writes how each connection ended. */
async function flood({
  port,
  path,
  count,
  headers = {},
  form = 'length',
  bytes,
}: Flood): Promise<FloodEnd[]> {
  const all = Object.entries({ host: 'gateway.test', 'content-type': 'application/json', ...headers });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const start = `POST ${path} HTTP/1.1\r\n${lines}`;
  const body = 'x'.repeat(bytes - 1);
  const texts = {
    length: `${start}content-length: ${bytes}\r\n\r\n${body}`,
    chunked: `${start}transfer-encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${body}`,
    headers: `${start}x-filler: ${body}`,
  };
  const text = Buffer.from(texts[form]);
  return await Promise.all(Array.from({ length: count }, () => endOf(connect(port, '127.0.0.1'), text)));
}

async function endOf(socket: Socket, text: Buffer): Promise<FloodEnd> {
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk;
  });
  // A connection that is cut has its answer all the same.
  socket.on('error', () => {});
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0),
    retryAfter: /^retry-after: (.*)\r$/im.exec(answer)?.[1],
  };
}

process.stdout.write(JSON.stringify(await flood(JSON.parse(process.argv[2] ?? ''))));
