import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

/** The floor: a proxy that forwards every request and streams the answer back. Prints its address as JSON. */
const pool = new Pool(String(process.env.SERVICE_URL), { connections: 64, pipelining: 1 });

const server = createServer((req, res) => {
  const method = req.method as 'GET';
  const hasBody = method !== 'GET';
  const headers = hasBody ? { 'content-type': 'application/json' } : {};
  const body = hasBody ? req : null;
  pool
    .stream({ method, path: req.url ?? '/', headers, body }, ({ statusCode, headers }) => {
      res.writeHead(statusCode, { 'content-type': String(headers['content-type']) });
      return res;
    })
    .catch((error: Error) => res.destroy(error));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
