import { once } from 'node:events';
import { connect } from 'node:net';

type Options = { port: number; path: string; headers?: Record<string, string>; method?: string };

/**
 * A request whose body does not come: it announces 60 bytes and sends one. Resolves when the gateway has read its head;
 * `answer` is what the gateway ends it with.
 */
export async function beginSlowRequest({ port, path, headers = {}, method = 'POST' }: Options) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = once(socket, 'close');
  const all = {
    host: 'gateway.test',
    'content-type': 'application/json',
    'content-length': '60',
    // The gateway's 100 tells that it has read the head.
    expect: '100-continue',
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n{`);
  while (!text.includes('100 Continue')) await once(socket, 'data');
  const answer = closed.then(() => ({
    status: Number(/HTTP\/1\.1 (?!100)(\d{3})/.exec(text)?.[1]),
    limit: /^ratelimit: (.*)\r$/im.exec(text)?.[1] ?? null,
  }));
  return { answer };
}
