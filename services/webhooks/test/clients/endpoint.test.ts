import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEndpointClient } from '../../src/clients/endpoint.ts';
import { createPublicAddresses } from '../../src/clients/public-addresses.ts';
import { networksFrom } from '../../src/domain/networks.ts';

const names: Record<string, string[]> = { 'private.example': ['10.0.0.8'] };
const resolve = async (host: string) => names[host] ?? [];
const networks = networksFrom();
const addresses = createPublicAddresses({ resolve, networks, allowLoopback: true, now: () => new Date() });
const client = createEndpointClient(addresses, { totalMs: 500, connectMs: 300, dnsMs: 100 });

const call = (url: string) => client.post({ webhookId: 1, url, headers: {}, body: '{}' });

/** Tells of each call that gets no answer, with the promise of its end. */
const hanging = new EventEmitter();
let answering: Server;
let base: string;
const rude = createTcpServer((socket) => {
  socket.once('data', (bytes) => {
    // The first byte of a TLS handshake.
    if (bytes[0] === 0x16) return;
    if (bytes.includes('/garbage')) socket.end('SSH-2.0-OpenSSH\r\n');
    else socket.resetAndDestroy();
  });
  socket.on('error', () => socket.destroy());
});

beforeAll(async () => {
  answering = createServer((req, res) => {
    if (req.url === '/endless') {
      const timer = setInterval(() => res.write('x'.repeat(8_192)), 1);
      res.on('close', () => clearInterval(timer));
    } else if (req.url === '/hanging') {
      hanging.emit('call', once(res, 'close'));
    } else if (req.url === '/half') {
      res.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => res.destroy(), 20);
    } else res.writeHead(200, { 'content-encoding': 'gzip' }).end('not unpacked');
  });
  await new Promise<void>((done) => answering.listen(0, '127.0.0.1', done));
  await new Promise<void>((done) => rude.listen(0, '127.0.0.1', done));
  base = `http://localhost:${(answering.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await client.stop();
  answering.closeAllConnections();
  await Promise.all([answering, rude].map((server) => new Promise((done) => server.close(done))));
});

const rudeUrl = (path: string) => `http://127.0.0.1:${(rude.address() as AddressInfo).port}${path}`;

describe('the endpoint client', () => {
  it('keeps the answer as it came, not decompressed', async () => {
    const outcome = await call(`${base}/`);
    expect(outcome).toMatchObject({ status: 200, error: null, response: 'not unpacked' });
  });

  it('keeps 16 KiB of an answer that never ends, and takes it for what its status says', async () => {
    const outcome = await call(`${base}/endless`);
    expect(outcome).toMatchObject({ status: 200, error: null });
    expect(outcome.response).toHaveLength(16 * 1024);
  });

  it('takes an answer that breaks off for what its status says', async () => {
    const outcome = await call(`${base}/half`);
    expect(outcome).toMatchObject({ status: 200, error: null, response: 'half' });
  });

  it('breaks a call off when it is told to', async () => {
    const patient = createEndpointClient(addresses, { totalMs: 60_000, connectMs: 10_000, dnsMs: 10_000 });
    const ended = new AbortController();
    const came = once(hanging, 'call');
    const outcome = patient.post({
      webhookId: 1,
      url: `${base}/hanging`,
      headers: {},
      body: '{}',
      ended: ended.signal,
    });
    const [closed] = (await came) as [Promise<unknown>];
    ended.abort();
    expect(await outcome).toMatchObject({ status: null, error: 'timeout' });
    await closed;
    await patient.stop();
  });

  it('names a TLS handshake without an answer, long before the end of the attempt', async () => {
    const patient = createEndpointClient(addresses, { totalMs: 60_000, connectMs: 300, dnsMs: 100 });
    const outcome = await patient.post({
      webhookId: 1,
      url: rudeUrl('/').replace('http:', 'https:'),
      headers: {},
      body: '{}',
    });
    expect(outcome).toMatchObject({ status: null, error: 'connect_timeout' });
    expect(outcome.ms).toBeLessThan(5_000);
    await patient.stop();
  });

  it('uses no proxy of the environment', async () => {
    const proxy = rudeUrl('');
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy };
    const source = (file: string) => JSON.stringify(join(import.meta.dirname, '../../src', file));
    const script = `
      const { createEndpointClient, endpointTimes } = await import(${source('clients/endpoint.ts')});
      const { createPublicAddresses } = await import(${source('clients/public-addresses.ts')});
      const { networksFrom } = await import(${source('domain/networks.ts')});
      const [url] = process.argv.slice(1);
      const addresses = createPublicAddresses({ networks: networksFrom(), allowLoopback: true, now: () => new Date() });
      const client = createEndpointClient(addresses, endpointTimes);
      const ours = await client.post({ webhookId: 1, url, headers: {}, body: '{}' });
      const byProxy = await fetch(url).then(({ status }) => status, () => 'refused by the proxy');
      await client.stop();
      console.log(JSON.stringify([ours.status, byProxy]));
      process.exit();
    `;
    const args = ['--input-type=module', '--eval', script, `${base}/`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(JSON.parse(stdout)).toEqual([200, 'refused by the proxy']);
  });

  it.each([
    ['garbage', () => rudeUrl('/garbage'), 'response_malformed'],
    ['a reset', () => rudeUrl('/reset'), 'reset'],
    ['no TLS where TLS was to be', () => base.replace('http:', 'https:'), 'tls_error'],
    ['nobody listening', () => 'http://127.0.0.1:1/', 'connect_refused'],
    ['a private address', () => 'https://private.example/', 'blocked_address'],
    ['a name without address', () => 'https://none.example/', 'dns_error'],
  ])('names %s', async (_what, url, error) => {
    expect(await call(url())).toMatchObject({ status: null, error, response: null });
  });
});
