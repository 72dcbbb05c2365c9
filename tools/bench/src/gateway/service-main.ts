import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service behind the gateway that costs next to nothing: one answer to every request. Prints its address as JSON. */
const users = Array.from({ length: 8 }, (_, i) => ({
  id: i,
  name: 'Ana Lima',
  email: `ana.${i}@example.com`,
}));
const body = JSON.stringify({ users, has_more: false, next_cursor: null });
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

const server = createServer((_req, res) => res.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
