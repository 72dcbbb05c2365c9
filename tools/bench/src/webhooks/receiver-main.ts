import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { monotonicMs } from './monotonic.ts';

/** A receiver of webhooks with one port for each endpoint; the last RECEIVER_HANGING ports never answer. Prints its addresses as JSON. */
export type Arrival = { id: string; at: number; sha256: string };
/** `distinct`: number of different events. */
export type ReceiverState = { arrivals: Arrival[]; distinct: number; hangingSockets: number };

const ports = Number(process.env.RECEIVER_PORTS);
const hanging = Number(process.env.RECEIVER_HANGING);
const host = '127.0.0.1';
let arrivals: Arrival[] = [];
const distinct = new Set<string>();
let hangingSockets = 0;

async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await buffer(req);
  const sha256 = createHash('sha256').update(body).digest('base64');
  distinct.add(String(req.headers['webhook-id']));
  arrivals.push({ id: String(req.headers['webhook-id']), at: monotonicMs(), sha256 });
  res.end();
}

async function listen(port: number): Promise<string> {
  const isHanging = port >= ports - hanging;
  const server = createServer(isHanging ? () => {} : (req, res) => void receive(req, res));
  if (isHanging)
    server.on('connection', (socket) => {
      hangingSockets += 1;
      socket.on('close', () => {
        hangingSockets -= 1;
      });
    });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `http://${host}:${(server.address() as AddressInfo).port}/`;
}

const control = createServer((req, res) => {
  const shown = req.url === '/count' ? [] : arrivals;
  const state: ReceiverState = { arrivals: shown, distinct: distinct.size, hangingSockets };
  if (req.method === 'DELETE') {
    arrivals = [];
    distinct.clear();
  }
  res.end(JSON.stringify(state));
});
control.listen(0, host, async () => {
  const urls = await Promise.all(Array.from({ length: ports }, (_, port) => listen(port)));
  const controlUrl = `http://${host}:${(control.address() as AddressInfo).port}`;
  process.stdout.write(`${JSON.stringify({ controlUrl, urls })}\n`);
});
