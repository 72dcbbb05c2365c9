import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { startLoad } from '../../src/load/load.ts';

it('counts every request, and each that was answered otherwise than it should as failed', async () => {
  let count = 0;
  const server = createServer((req, res) => {
    count += 1;
    res.statusCode = req.url === '/bad' ? 503 : 200;
    res.end('{"code":"service_unavailable"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const get = (path: string) => ({
    name: path,
    weight: 1,
    make: () => ({ method: 'GET' as const, path }),
    isGood: (status: number) => status === 200,
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const load = startLoad({ origin, headers: {}, kinds: [get('/good'), get('/bad')], rate: 100 });
  while (load.sent() < 20) await new Promise((resolve) => setImmediate(resolve));
  const { sent, failures } = await load.stop();
  server.close();
  expect(count).toBe(sent);
  expect(failures).toHaveLength(Math.floor(sent / 2));
  expect(new Set(failures.map(({ kind, error: what }) => `${kind} ${what}`))).toEqual(
    new Set(['/bad 503 service_unavailable']),
  );
});
