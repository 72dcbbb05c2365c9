import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, apiSecret } from './support/identity-answers.ts';
import { startTestGateway } from './support/start-gateway.ts';

const keys = { 'x-api-key': apiKey, 'x-api-secret': apiSecret };

describe('who calls', () => {
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

  const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });
  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { code: string }).code,
  ];
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('is a partner with both headers, and the service hears so from the gateway alone', async () => {
    const response = await get('/v1/client/users', {
      ...keys,
      'x-casewatch-principal': 'forged',
      'x-forwarded-for': '8.8.8.8',
      cookie: 'a=b',
    });
    expect(response.status).toBe(200);
    const [request] = gateway.seen;
    if (!request) throw new Error('nothing was forwarded');
    expect(gateway.callerOf(request)).toEqual({
      principal: { kind: 'partner', partner_id: 1, key_id: '1', scopes: ['users:read', 'users:write'] },
      address: '127.0.0.1',
    });
    expect(Object.keys(request.headers)).not.toEqual(
      expect.arrayContaining(['x-api-key', 'x-api-secret', 'cookie', 'x-forwarded-for']),
    );
    expect(JSON.stringify(gateway.identity.asked)).not.toContain(apiSecret);
  });

  it.each([
    ['no credentials', {}, [401, 'missing_credentials']],
    ['a wrong secret', { 'x-api-key': apiKey, 'x-api-secret': 'wrong' }, [401, 'invalid_api_key']],
    ['one header of two', { 'x-api-key': apiKey }, [401, 'invalid_api_key']],
  ])('is nobody with %s', async (_what, headers, expected) => {
    expect(await codeOf(await get('/v1/client/users', headers as Record<string, string>))).toEqual(expected);
    expect(gateway.seen).toHaveLength(0);
  });

  it('is a user with a bearer token', async () => {
    expect((await get('/v1/users/7', bearer(gateway.identity.token()))).status).toBe(200);
    const [request] = gateway.seen;
    expect(request && gateway.callerOf(request).principal).toMatchObject({
      kind: 'user',
      user_id: 7,
      partner_id: 1,
      session_id: 'session-7',
    });
  });

  it.each([
    ['an expired one', () => gateway.identity.token({}, { expiresIn: -10 }), 'token_expired'],
    ['one of another audience', () => gateway.identity.token({ aud: 'someone' }), 'invalid_token'],
    ['one of another issuer', () => gateway.identity.token({ iss: 'http://someone' }), 'invalid_token'],
    [
      'one signed by another key',
      () => gateway.identity.token({}, {}, gateway.identity.strangerKey),
      'invalid_token',
    ],
    [
      'one of another type',
      () => gateway.identity.token({}, { header: { alg: 'ES256', typ: 'JWT', kid: 'k1' } }),
      'invalid_token',
    ],
    ['one of an ended session', () => gateway.identity.token({ sid: 'ended' }), 'token_revoked'],
    ['nonsense', () => 'a.b.c', 'invalid_token'],
  ])('is nobody with a token that is %s', async (_what, token, code) => {
    expect(await codeOf(await get('/v1/users/7', bearer(token())))).toEqual([401, code]);
  });

  it('is refused a partner’s operation with a bearer token', async () => {
    expect(await codeOf(await get('/v1/client/users', bearer(gateway.identity.token())))).toEqual([
      401,
      'missing_credentials',
    ]);
  });

  it('is the user where both kinds come and belong together, and 400 where they do not', async () => {
    expect((await get('/v1/users/7', { ...keys, ...bearer(gateway.identity.token()) })).status).toBe(200);
    const [request] = gateway.seen;
    expect(request && gateway.callerOf(request).principal.kind).toBe('user');
    const stranger = bearer(gateway.identity.token({ sub: '8' }));
    expect(await codeOf(await get('/v1/users/8', { ...keys, ...stranger }))).toEqual([
      400,
      'conflicting_credentials',
    ]);
  });

  it('is told which scope is missing', async () => {
    expect(await codeOf(await get('/v1/webhooks', keys))).toEqual([403, 'insufficient_scope']);
  });
});
