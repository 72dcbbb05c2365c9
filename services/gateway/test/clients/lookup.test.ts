import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createLookup } from '../../src/clients/lookup.ts';

const here = [{ address: '127.0.0.1', family: 4 }];
const host = 'cases.casewatch.example';

describe('looking up the names of services', () => {
  it('asks once for all who want the same name at the same time, and connects them', async () => {
    const asked: string[] = [];
    const lookup = createLookup(async (hostname) => {
      asked.push(hostname);
      return here;
    });
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const sockets = Array.from({ length: 20 }, () => connect({ host, port, lookup }));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');

    expect(asked).toEqual([host]);
  });

  it('asks again after a failure, which only those who waited see', async () => {
    const answers = [Promise.reject(new Error('no such name')), Promise.resolve(here)];
    const lookup = createLookup(() => answers.shift() ?? Promise.resolve([]));
    const ask = () =>
      new Promise((resolve) => {
        lookup(host, {}, (error, address) => resolve(error ? error.message : address));
      });

    expect(await Promise.all([ask(), ask()])).toEqual(['no such name', 'no such name']);
    expect(await ask()).toBe('127.0.0.1');
  });
});
