import { createServer } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { maxLogoBytes } from '@casewatch/contracts';
import { type Bus, listen } from '@casewatch/platform';
import { connectAs, startMongo, startNats, type TestMongo, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portOf } from '../support/port-of.ts';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
const webp = Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1');
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const privateNames: Record<string, string[]> = {
  'inside.example': ['10.0.0.8'],
  'both.example': ['93.184.215.14', '169.254.169.254'],
  'here.example': ['127.0.0.1'],
};

let mongo: TestMongo;
let nats: TestNats;
let webhooks: TestWebhooks;
let identity: Bus;
let site: Awaited<ReturnType<typeof listen>>;
const asked: string[] = [];

beforeAll(async () => {
  [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  const resolve = async (host: string) => {
    if (host === 'failing.example') throw Object.assign(new Error(), { code: 'ESERVFAIL' });
    return privateNames[host] ?? [];
  };
  webhooks = await startTestWebhooks({ mongo, nats, resolve, totalMs: 1_000 });
  identity = await connectAs(nats, 'identity');
  site = await listen(createServer(answer), '127.0.0.1', 0);
});
afterAll(async () => {
  await identity.stop();
  await webhooks.stop();
  await site.stop(100);
  await Promise.all([mongo.stop(), nats.stop()]);
});

/** Every answer says that it is a PNG. */
const answer: Parameters<typeof createServer>[1] = (req, res) => {
  const path = String(req.url);
  asked.push(path);
  res.setHeader('content-type', 'image/png');
  if (path === '/silent') return;
  if (path.startsWith('/to/')) res.writeHead(302, { location: path.slice('/to/'.length) }).end();
  else if (path === '/missing') res.writeHead(404).end(png);
  else if (path === '/large') res.end(Buffer.concat([png, Buffer.alloc(maxLogoBytes)]));
  else if (path === '/endless') {
    res.write(png);
    const more = setInterval(() => res.write(Buffer.alloc(64 * 1024)), 1);
    res.on('close', () => clearInterval(more));
  } else if (path === '/half') {
    res.writeHead(200, { 'content-length': '5000' }).write(png);
  } else res.end(bodies[path]);
};

const bodies: Record<string, Buffer | string> = {
  '/logo.png': png,
  '/logo.jpg': jpeg,
  '/logo.webp': webp,
  '/limit': Buffer.concat([png, Buffer.alloc(maxLogoBytes - png.length)]),
  '/logo.svg': svg,
  '/page': '<!doctype html><script>alert(1)</script>',
  '/empty': '',
};

const fetchLogo = (url: string) => identity.request('webhooks.fetch_logo', { url });
const fetchPath = (path: string) => fetchLogo(`http://127.0.0.1:${site.port}${path}`);

describe('a logo', () => {
  it.each([
    ['/logo.png', 'png'],
    ['/logo.jpg', 'jpg'],
    ['/logo.webp', 'webp'],
    ['/limit', 'png'],
  ])('is fetched, and its bytes say what it is: %s', async (path, type) => {
    const content = Buffer.from(bodies[path] ?? '').toString('base64');
    expect(await fetchPath(path)).toEqual({ outcome: 'fetched', type, content });
  });

  it.each([
    ['/logo.svg', 'not_an_image'],
    ['/page', 'not_an_image'],
    ['/empty', 'not_an_image'],
    ['/large', 'too_large'],
    ['/endless', 'too_large'],
    ['/missing', 'not_reachable'],
    ['/silent', 'not_reachable'],
    ['/half', 'not_reachable'],
    ['/to/http://10.0.0.8/logo.png', 'redirect'],
  ])('is refused: %s', async (path, fault) => {
    expect(await fetchPath(path)).toEqual({ outcome: 'refused', fault });
  });

  it('is not fetched from where a redirect leads', async () => {
    await fetchPath(`/to/http://127.0.0.1:${site.port}/trap`);
    expect(asked).not.toContain('/trap');
  });

  it.each([
    'https://10.0.0.8/logo.png',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::8]/logo.png',
    'https://inside.example/logo.png',
    'https://both.example/logo.png',
    'https://here.example/logo.png',
    'http://93.184.215.14/logo.png',
    'https://93.184.215.14:22/logo.png',
  ])('is refused at an address that is not public, or on a port that is not allowed: %s', async (url) => {
    expect(await fetchLogo(url)).toEqual({ outcome: 'refused', fault: 'address_not_allowed' });
  });

  // Else the fault would be a directory of internal names.
  it('is refused with the same fault for a name without an address and for a private one, before any connection', async () => {
    for (const host of ['nowhere.example', 'failing.example', 'inside.example', '10.0.0.8'])
      expect(await fetchLogo(`https://${host}/logo.png`)).toEqual({
        outcome: 'refused',
        fault: 'address_not_allowed',
      });
  });
});

describe('a logo of a server that does not keep to the rules', () => {
  const head = (...lines: string[]) => [...lines, '', ''].join('\r\n');
  const pictured = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), png]);
  const plain = head('HTTP/1.1 200 OK', `content-length: ${png.length}`);
  let raw: Server;
  let port: number;
  let answering: Buffer = png;
  beforeAll(async () => {
    raw = createTcpServer((socket) => void socket.once('data', () => socket.end(answering)));
    raw.on('connection', (socket) => socket.on('error', () => undefined));
    port = await portOf(raw);
  });
  afterAll(() => new Promise((done) => raw.close(done)));

  it.each([
    ['100 Continue', head('HTTP/1.1 100 Continue') + plain],
    ['103 Early Hints twice', head('HTTP/1.1 103 Early Hints').repeat(2) + plain],
    ['line feeds alone', plain.replaceAll('\r', '')],
    ['a folded header', head('HTTP/1.1 200 OK', 'x-a: b', ' c', `content-length: ${png.length}`)],
    [
      '17 KB of headers',
      head('HTTP/1.1 200 OK', `x-a: ${'a'.repeat(17_000)}`, `content-length: ${png.length}`),
    ],
  ])('is fetched: %s', async (_what, text) => {
    answering = pictured(text);
    const reply = await fetchLogo(`http://127.0.0.1:${port}/logo.png`);
    expect(reply).toEqual({ outcome: 'fetched', type: 'png', content: png.toString('base64') });
  });

  it('is not fetched when a part of it is missing', async () => {
    answering = pictured(head('HTTP/1.1 200 OK', `content-length: ${png.length + 1}`));
    const reply = await fetchLogo(`http://127.0.0.1:${port}/logo.png`);
    expect(reply).toEqual({ outcome: 'refused', fault: 'not_reachable' });
  });
});
