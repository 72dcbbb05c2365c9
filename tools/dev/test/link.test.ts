import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort, waitFor } from '@casewatch/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Link, startLink } from '../src/link.ts';

const host = '127.0.0.1';
const servers: Server[] = [];
const links: Link[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await Promise.all(links.splice(0).map((link) => link.stop()));
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers each piece of data with its name and the data. */
async function echo(name: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('data', (data) => socket.write(`${name}:${data}`));
    socket.on('error', () => {});
  });
  server.listen(0, host);
  await once(server, 'listening');
  servers.push(server);
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function linkTo(...ports: number[]): Promise<{ link: Link; port: number }> {
  const port = await freePort();
  const link = await startLink(
    { host, port },
    ports.map((target) => ({ host, port: target })),
  );
  links.push(link);
  return { link, port };
}

function client(port: number) {
  const socket = connect({ host, port });
  clients.push(socket);
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  // A reset is an error, too; 'close' comes after both.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, closed, text: () => text };
}

/** What a new connection gets as its answer. */
async function answerOf(port: number): Promise<string> {
  const { socket, closed, text } = client(port);
  socket.write('x');
  await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
  return text();
}

describe('a link', () => {
  it('leads to its targets in turn, and passes over one that refuses', async () => {
    const [a, b] = [await echo('a'), await echo('b')];
    const { port } = await linkTo(a, await freePort(), b);
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await answerOf(port));
    expect(answers.sort()).toEqual(['a:x', 'a:x', 'a:x', 'b:x', 'b:x', 'b:x']);
  });

  it('ends connections without an answer where all targets refuse', async () => {
    const { port } = await linkTo(await freePort());
    expect(await answerOf(port)).toBe('');
  });

  it('ends and refuses connections while it is cut', async () => {
    const { link, port } = await linkTo(await echo('a'));
    const { socket, closed, text } = client(port);
    socket.write('x');
    await waitFor(() => text() === 'a:x', { what: 'the answer' });
    expect(link.cut()).toBeGreaterThan(0);
    await closed;
    expect(await answerOf(port)).toBe('');
    link.heal();
    expect(await answerOf(port)).toBe('a:x');
  });

  it('holds bytes back while it is frozen, of old and new connections, and loses none', async () => {
    const { link, port } = await linkTo(await echo('a'));
    const old = client(port);
    old.socket.write('1');
    await waitFor(() => old.text() === 'a:1', { what: 'the answer' });
    const before = link.pieces();
    expect(link.freeze()).toBeGreaterThan(0);
    old.socket.write('2');
    const young = client(port);
    young.socket.write('3');
    await waitFor(() => link.connections() === 4, { what: 'the second connection' });
    expect([link.pieces() - before, old.text(), young.text()]).toEqual([0, 'a:1', '']);
    link.heal();
    await waitFor(() => old.text() === 'a:1a:2' && young.text() === 'a:3', { what: 'what was held' });
  });

  it('delays each piece of data while it is slow, in its order', async () => {
    const { link, port } = await linkTo(await echo('a'));
    link.slow(100);
    const began = performance.now();
    expect(await answerOf(port)).toBe('a:x');
    // There and back; timers may be early by a millisecond.
    expect(performance.now() - began).toBeGreaterThanOrEqual(198);
  });

  it('shows what clients send, and which of them, until nobody looks', async () => {
    const { link, port } = await linkTo(await echo('a'));
    const seen: string[] = [];
    link.watch((piece, clientPort) => seen.push(`${clientPort} ${piece}`));
    const { socket, text } = client(port);
    socket.write('1');
    await waitFor(() => text() === 'a:1', { what: 'the answer' });
    link.watch(null);
    socket.write('2');
    await waitFor(() => text() === 'a:1a:2', { what: 'the second answer' });
    expect(seen).toEqual([`${socket.localPort} 1`]);
  });

  it('lets nothing overtake what is on its way when it is healed', async () => {
    const { link, port } = await linkTo(await echo('a'));
    const { socket, text } = client(port);
    link.slow(300);
    const before = link.pieces();
    socket.write('1');
    await waitFor(() => link.pieces() > before, { what: 'the first piece' });
    link.heal();
    socket.write('2');
    await waitFor(() => text().includes('2'), { what: 'the second piece' });
    expect(text().replaceAll('a:', '')).toBe('12');
  });
});
