import { once } from 'node:events';
import { request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call, giveUpOn } from './support.ts';

let sandbox: Sandbox;
const hook = (name: string) => `${sandbox.receiver_url}/hooks/${name}`;
const control = (name: string) => `${sandbox.receiver_url}/sandbox/hooks/${name}`;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** Posts over an own connection; returns the connection. */
function post(name: string) {
  const { hostname, port } = new URL(sandbox.receiver_url);
  const socket = connect(Number(port), hostname);
  socket.write(`POST /hooks/${name} HTTP/1.1\r\nHost: hooks\r\nContent-Length: 2\r\n\r\n{}`);
  return socket;
}

describe('a hook in the mode', () => {
  it('hang keeps the call and never answers', async () => {
    await call('PUT', control('hang'), { mode: 'hang' });
    const kept = async () => (await call('GET', control('hang'))).json;
    const arrived = async () => (await kept()).length === 1;
    await giveUpOn(hook('hang'), arrived, { method: 'POST', body: '{}' });
    expect(await kept()).toMatchObject([{ body: '{}' }]);
  });

  it('drip sends its status line one byte a second', async () => {
    await call('PUT', control('drip'), { mode: 'drip', status: 202 });
    const began = performance.now();
    const socket = post('drip');
    let text = '';
    while (text.length < 3) text += String((await once(socket, 'data'))[0]);
    expect('HTTP/1.1 202').toContain(text);
    expect(performance.now() - began).toBeGreaterThan(1_900);
    socket.destroy();
  });

  it('endless answers with its status and a body without end', async () => {
    await call('PUT', control('endless'), { mode: 'endless', status: 503, headers: { 'retry-after': '60' } });
    const response = await fetch(hook('endless'), { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    const reader = response.body?.getReader();
    let length = 0;
    while (length < 4 * 1024 * 1024) length += (await reader?.read())?.value?.length ?? 0;
    await reader?.cancel();
  });

  it('reset resets the connection', async () => {
    await call('PUT', control('reset'), { mode: 'reset' });
    await expect(once(post('reset'), 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each([
    ['garbage', '\u0000\u0001 this is no HTTP\r\n\r\n'],
    ['half', 'HTTP/1.1 202 Accepted\r\nContent-Length: 17\r\n\r\n{"receiv'],
  ])('%s answers so, keeps the call and ends the connection', async (mode, expected) => {
    await call('PUT', control(mode), { mode, status: 202 });
    let text = '';
    for await (const chunk of post(mode)) text += String(chunk);
    expect(text).toBe(expected);
    await expect(
      fetch(hook(mode), { method: 'POST', body: '{}' }).then((res) => res.text()),
    ).rejects.toThrow();
    expect((await call('GET', control(mode))).json).toHaveLength(2);
  });

  it('none answers again', async () => {
    await call('PUT', control('reset'), { mode: null });
    expect((await call('POST', hook('reset'), '{}')).json).toEqual({ received: true });
    expect((await call('PUT', control('reset'), { mode: 'explode' })).status).toBe(400);
  });
});

it('a second listener takes the same hooks over TLS, with a certificate for another name', async () => {
  const { json: tls } = await call('GET', `${sandbox.receiver_url}/sandbox/tls`);
  expect(tls).toEqual({ url: sandbox.receiver_tls_url, name: 'other.example', ca: sandbox.receiver_tls_ca });
  const send = (servername: string) => {
    const { port } = new URL(tls.url);
    const options = { method: 'POST', path: '/hooks/tls', port, ca: tls.ca, servername, agent: false };
    return once(tlsRequest({ host: '127.0.0.1', ...options }).end('{}'), 'response');
  };
  await expect(send('partner.example')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  const [response] = await send('other.example');
  expect(response.statusCode).toBe(200);
  response.resume();
  expect((await call('GET', control('tls'))).json).toHaveLength(1);
});
