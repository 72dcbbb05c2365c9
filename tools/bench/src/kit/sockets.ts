import { connect, type Socket } from 'node:net';

/** Status 0: the connection ended without an answer. `atMs`: when it came, since the first request was due. */
export type Reply = { status: number; ms: number; atMs: number };
type Exchange = { request: string; onReply(status: number): void };

/**
 * HTTP/1.1 on bare sockets: the requests are ready texts, and of an answer only status and length are read. On one machine an HTTP
 * client would take several times as much from the system that it loads. A request waits while all `max` connections are in use.
 */
export function openSockets(url: string, max: number) {
  const { hostname, port } = new URL(url);
  const idle: Socket[] = [];
  const open = new Map<Socket, Exchange | undefined>();
  const waiting: Exchange[] = [];

  function begin(socket: Socket, exchange: Exchange): void {
    open.set(socket, exchange);
    socket.write(exchange.request, 'latin1');
  }

  function openSocket(): Socket {
    const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
    let text = '';
    socket.on('data', (part: string) => {
      text += part;
      if (!isComplete(text)) return;
      const [status, exchange, next] = [Number(text.slice(9, 12)), open.get(socket), waiting.shift()];
      text = '';
      if (next) begin(socket, next);
      else {
        open.set(socket, undefined);
        idle.push(socket);
      }
      exchange?.onReply(status);
    });
    // 'close' follows and counts as no answer.
    socket.on('error', () => {});
    socket.on('close', () => {
      const exchange = open.get(socket);
      open.delete(socket);
      const place = idle.indexOf(socket);
      if (place >= 0) idle.splice(place, 1);
      exchange?.onReply(0);
      const next = waiting.shift();
      if (next) begin(openSocket(), next);
    });
    return socket;
  }

  return {
    send(exchange: Exchange): void {
      const socket = idle.pop() ?? (open.size < max ? openSocket() : undefined);
      if (socket) begin(socket, exchange);
      else waiting.push(exchange);
    },
    close(): void {
      for (const socket of open.keys()) {
        open.set(socket, undefined);
        socket.destroy();
      }
    },
  };
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length);
}

/** Requests as fast as `width` at a time are answered. @returns answers per second. @throws Error if one is not 200 */
export async function saturate(
  urls: readonly string[],
  texts: readonly string[],
  { width, ms }: { width: number; ms: number },
) {
  const pools = urls.map((url) => openSockets(url, width));
  const started = performance.now();
  let count = 0;
  const work = async (_: unknown, index: number) => {
    while (performance.now() - started < ms) {
      const { promise, resolve } = Promise.withResolvers<number>();
      pools[index % pools.length]?.send({ request: texts[count++ % texts.length] ?? '', onReply: resolve });
      const status = await promise;
      if (status !== 200) throw new Error(`a request was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: width }, work)).finally(() => {
    for (const pool of pools) pool.close();
  });
  return { count, perSecond: (count * 1_000) / (performance.now() - started) };
}

/** The text of a GET. */
export function getText(path: string, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries({ host: 'bench', ...headers }).map((pair) => pair.join(': '));
  return [`GET ${path} HTTP/1.1`, ...fields, '', ''].join('\r\n');
}
