import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, apiSecret } from '../support/identity-answers.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const keys = { 'x-api-key': apiKey, 'x-api-secret': apiSecret };

describe('the principal behind the gateway', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });
  beforeEach(() => {
    gateway.seen.length = 0;
  });

  const get = (path: string, headers: Record<string, string> = keys) =>
    fetch(gateway.url + path, { headers });
  const write = (method: string, path: string) =>
    fetch(gateway.url + path, {
      method,
      headers: { ...keys, 'content-type': 'application/json' },
      body: '{}',
    });
  const sent = () => gateway.seen.map(({ headers }) => String(headers['x-casewatch-principal']));
  const claimsOf = (token = '') =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

  it('of reads is signed once per credential', async () => {
    await get('/v1/client/users');
    await get('/v1/client/users?limit=1');
    const token = gateway.identity.token();
    await get('/v1/users/7', { authorization: `Bearer ${token}` });
    await get('/v1/users/7', { authorization: `Bearer ${token}` });
    const [first, second, third, fourth] = sent();
    expect(first).toBe(second);
    expect(third).toBe(fourth);
    expect(first).not.toBe(third);
  });

  it('of writes is for that method and path alone', async () => {
    await write('PUT', '/v1/client/users/1');
    await write('PUT', '/v1/client/users/1');
    await write('PUT', '/v1/client/users/2');
    const tokens = sent();
    expect(claimsOf(tokens[0])).toMatchObject({ htm: 'PUT', htp: '/v1/client/users/1' });
    expect(claimsOf(tokens[2])).toMatchObject({ htm: 'PUT', htp: '/v1/client/users/2' });
    const [first] = gateway.seen;
    if (!first) throw new Error('nothing was forwarded');
    expect(gateway.callerOf(first).principal.kind).toBe('partner');
    for (const other of [{ method: 'DELETE' }, { url: '/v1/client/users/2' }, { method: 'POST' }]) {
      expect(() => gateway.callerOf({ ...first, ...other })).toThrow();
    }
  });

  it('says who calls from where, for one service, for a minute, and no more', async () => {
    await get('/v1/client/users');
    const { iat, exp, ...claims } = claimsOf(sent()[0]);
    expect(claims).toEqual({
      prin: { kind: 'partner', partner_id: 1, key_id: '1', scopes: ['users:read', 'users:write'] },
      addr: '127.0.0.1',
      aud: 'identity',
      iss: 'casewatch-gateway',
    });
    expect(Number(exp) - Number(iat)).toBe(60);
  });

  it('of a read cannot write', async () => {
    await get('/v1/client/users');
    const [read] = gateway.seen;
    if (!read) throw new Error('nothing was forwarded');
    expect(() => gateway.callerOf({ ...read, method: 'POST' })).toThrow();
  });

  it('is not what an access token is', async () => {
    await get('/v1/client/users');
    const [read] = gateway.seen;
    if (!read) throw new Error('nothing was forwarded');
    const headers = { 'x-casewatch-principal': gateway.identity.token() };
    expect(() => gateway.callerOf({ ...read, headers })).toThrow();
  });
});
