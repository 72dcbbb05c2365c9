import { connect, type Socket } from 'node:net';

/** `onReply` gets the status; 0 if the connection ended before the response did. */
type Exchange = { readonly request: string; onReply(status: number): void };

const endOfHead = '\r\n\r\n';

/**
 * HTTP/1.1 on bare sockets: the requests are ready texts, and of a response only status and length are read. A sender
 * of requests on the same machine takes time from the system under test; undici takes several times as much.
 * A request waits while all `max` connections are in use.
 */
export function openSockets(url: string, max: number) {
  const { hostname, port } = new URL(url);
  const idle: Connection[] = [];
  const open = new Set<Connection>();
  const waiting: Exchange[] = [];

  function onFree(connection: Connection): void {
    const next = waiting.shift();
    if (next) connection.begin(next);
    else idle.push(connection);
  }

  return {
    send(exchange: Exchange): void {
      const connection = idle.pop();
      if (connection) connection.begin(exchange);
      else if (open.size < max) {
        const added = new Connection(connect(Number(port), hostname), onFree, () => open.delete(added));
        open.add(added);
        added.begin(exchange);
      } else waiting.push(exchange);
    },
    close(): void {
      for (const { socket } of open) socket.destroy();
    },
  };
}

class Connection {
  readonly socket: Socket;
  private received = '';
  private exchange: Exchange | null = null;
  private readonly onFree: (connection: Connection) => void;

  constructor(socket: Socket, onFree: (connection: Connection) => void, onEnd: () => void) {
    this.socket = socket;
    this.onFree = onFree;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.read(text));
    // 'close' follows and counts as no answer.
    socket.on('error', () => {});
    socket.on('close', () => {
      onEnd();
      this.exchange?.onReply(0);
    });
  }

  begin(exchange: Exchange): void {
    this.exchange = exchange;
    this.socket.write(exchange.request, 'latin1');
  }

  private read(text: string): void {
    this.received = this.received === '' ? text : this.received + text;
    const end = this.received.indexOf(endOfHead);
    if (end < 0 || !isComplete(this.received, end)) return;
    const status = Number(this.received.slice(9, 12));
    const { exchange } = this;
    this.received = '';
    this.exchange = null;
    this.onFree(this);
    exchange?.onReply(status);
  }
}

function isComplete(text: string, endOfHeadAt: number): boolean {
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, endOfHeadAt))?.[1];
  if (length !== undefined) return text.length >= endOfHeadAt + endOfHead.length + Number(length);
  return text.endsWith('0\r\n\r\n');
}
