import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Ask,
  bearer,
  createPartner,
  keyHeaders,
  loginCode,
  operator,
  type PartnerKeys,
  type PartnerWithKey,
  send,
  type Tokens,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { describeOwnSystem, type System, sharedLimitedSystem } from '../support/system.ts';

type Line = Record<string, unknown> & { request_id?: string; msg: string };

describeOwnSystem('each sign-in, refusal, limit, key and session change leaves one line', () => {
  let system: System;
  let partner: PartnerWithKey;
  let user: { id: number; email: string };
  let requests = 0;
  beforeAll(async () => {
    system = await sharedLimitedSystem();
    partner = await newPartner(system.dataDir, 'Logged Firm');
    user = await createPartner(system.dev(), partner).verifiedUser();
  });

  /** The security lines of all services about one request. */
  function linesAbout(requestId: string): Line[] {
    const folder = join(system.dataDir, 'logs');
    return readdirSync(folder)
      .filter((file) => !/^(mongod|nats|sandbox)/.test(file))
      .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ request_id, msg }) => request_id === requestId && msg === 'security');
  }

  /** Calls, and returns the answer with the one security line that it left. */
  async function tell(method: string, path: string, options: Pick<Ask, 'as' | 'body'> = {}) {
    requests += 1;
    const requestId = `security-log-${requests}`;
    const headers = { 'x-request-id': requestId };
    const reply = await send(system.dev(), method, { ...options, path, headers });
    const lines = await waitFor(() => linesAbout(requestId).length > 0 && linesAbout(requestId), {
      what: `a security line about ${method} ${path} ${reply.status}`,
    });
    expect(lines).toHaveLength(1);
    return { ...reply, line: lines[0] as Line };
  }

  async function signIn() {
    const guess = await loginCode(system.dev(), user.email);
    return { guess, issued: await tell('POST', '/v1/auth/token', { body: guess }) };
  }

  it('of a person: sign-in, refresh, log out, what ended, a wrong code', async () => {
    const { guess, issued } = await signIn();
    const tokens = issued.body as unknown as Tokens;
    const who = { user_id: user.id, session_id: issued.line.session_id, partner_id: partner.id };
    expect(issued.line).toMatchObject({ service: 'identity', event: 'sign_in', outcome: 'done', ...who });
    const grant = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const refreshed = await tell('POST', '/v1/auth/token', { body: grant });
    expect(refreshed.line).toMatchObject({ event: 'session_refreshed', outcome: 'done', ...who });
    const ended = await tell('POST', '/v1/auth/logout', { body: {}, as: bearer(tokens.access_token) });
    expect(ended.line).toMatchObject({ event: 'session_ended', reason: 'logged_out', ...who });
    await waitFor(async () => {
      const as = bearer(tokens.access_token);
      const { status } = await send(system.dev(), 'GET', { as, path: `/v1/users/${user.id}` });
      return status === 401;
    });
    const refused = await tell('GET', `/v1/users/${user.id}`, { as: bearer(tokens.access_token) });
    expect(refused.line).toMatchObject({
      service: 'gateway',
      event: 'access',
      outcome: 'refused',
      problem: 'token_revoked',
      operation: 'get_user',
      user_id: user.id,
      session_id: who.session_id,
    });
    const wrong = await tell('POST', '/v1/auth/token', { body: { ...guess, code: '000000' } });
    expect(wrong.line).toMatchObject({ event: 'access', outcome: 'refused', problem: 'invalid_login_code' });
    expect(wrong.line.address_hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('of a partner: a wrong secret, a missing scope, a key made, rotated, revoked and used after that', async () => {
    const dev = system.dev();
    const known = { partner_id: partner.id };
    const wrongSecret = keyHeaders({ ...partner, api_secret: dev.other_partner.api_secret });
    const wrong = await tell('GET', '/v1/client/profile', { as: wrongSecret });
    expect(wrong.line).toMatchObject({
      outcome: 'refused',
      problem: 'invalid_api_key',
      operation: 'get_profile',
    });
    const own = keyHeaders(partner);
    const made = await tell('POST', '/v1/client/keys', {
      body: { name: 'k', scopes: ['keys'] },
      as: own,
    });
    const key = made.body.key as { id: number; api_key: string; api_secret: string };
    expect(made.line).toMatchObject({
      event: 'key_created',
      outcome: 'done',
      target_key_id: key.id,
      ...known,
    });
    const narrow = await tell('GET', '/v1/client/users', { as: keyHeaders(key) });
    const keyId = String(key.id);
    expect(narrow.line).toMatchObject({ problem: 'insufficient_scope', key_id: keyId, ...known });
    const ended = await tell('DELETE', `/v1/client/keys/${key.id}`, { as: own });
    expect(ended.line).toMatchObject({
      event: 'key_revoked',
      outcome: 'done',
      target_key_id: key.id,
      ...known,
    });
    await waitFor(async () => {
      const { status } = await send(dev, 'GET', { as: keyHeaders(key), path: '/v1/client/keys' });
      return status === 401;
    });
    const after = await tell('GET', '/v1/client/keys', { as: keyHeaders(key) });
    expect(after.line).toMatchObject({ problem: 'api_key_revoked', key_id: keyId, ...known });
    const words = ['key', 'create', '--partner', String(partner.id)];
    const { key: second } = await operator<{ key: PartnerKeys }>(system.dataDir, ...words);
    const rotated = await tell('POST', `/v1/client/keys/${second.id}/rotate`, {
      body: { overlap_seconds: 0 },
      as: own,
    });
    expect(rotated.status).toBe(201);
    expect(rotated.line).toMatchObject({ event: 'key_rotated', outcome: 'done', ...known });
    const body = { status: 'suspended' };
    const suspended = await tell('PUT', `/v1/client/users/${user.id}`, { body, as: own });
    const ends = { event: 'session_ended', reason: 'suspended', user_id: user.id };
    expect(suspended.line).toMatchObject({ outcome: 'done', ...ends, ...known });
  });

  it('of a limit, with the network as a keyed hash: the same for each, and never the address', async () => {
    const body = { email: 'limited@example.com' };
    for (let i = 0; i < 5; i++) {
      expect((await send(system.dev(), 'POST', { path: '/v1/auth/login-code', body })).status).toBe(200);
    }
    const limited = await tell('POST', '/v1/auth/login-code', { body });
    expect(limited.line).toMatchObject({ outcome: 'limited', problem: 'rate_limited' });
    const refused = await tell('GET', '/v1/client/profile');
    expect(refused.line.network).toMatch(/^[0-9a-f]{16}$/);
    expect(refused.line.network).toBe(limited.line.network);
    expect(JSON.stringify(refused.line)).not.toContain('127.0.0.1');
  });
});
