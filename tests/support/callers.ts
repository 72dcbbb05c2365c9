import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@casewatch/testing';
import jwt from 'jsonwebtoken';
import { mailsTo, partnerClient, verifiedUser } from './partner-client.ts';
import type { DevFile, System } from './system.ts';

/** Headers that say who calls; each kind of caller that the authorisation matrix knows. */
export type Callers = Record<CallerName, Record<string, string>>;

export const callerNames = [
  'nobody',
  'userA',
  'userB',
  'suspendedUser',
  'expiredToken',
  'partnerP',
  'partnerQ',
  'withoutScope',
  'revokedKey',
] as const;

export type CallerName = (typeof callerNames)[number];

const root = join(import.meta.dirname, '../..');

/** Makes one caller of each kind; `userA` belongs to partner P, `userB` to Q. */
export async function makeCallers(
  system: System,
): Promise<{ callers: Callers; userA: number; userB: number; end(): void }> {
  const dev = system.dev();
  const [p, q] = [partnerClient(dev), partnerClient(dev, dev.other_partner)];
  const [a, b, suspended] = await Promise.all([
    verifiedUser(dev, p),
    verifiedUser(dev, q),
    verifiedUser(dev, p),
  ]);
  const tokenA = await signIn(dev, a.email);
  const tokenB = await signIn(dev, b.email);
  const tokenOfSuspended = await signIn(dev, suspended.email);
  await p('PUT', `/v1/client/users/${suspended.id}`, { status: 'suspended' });
  // In this order: a partner has two live keys at most.
  const revoked = admin(system, ['key', 'create', '--partner', '1']);
  admin(system, ['key', 'revoke', '--key', String(revoked.key.id)]);
  const keysOnly = admin(system, ['key', 'create', '--partner', '1', '--scopes', 'keys']);
  return {
    userA: a.id,
    userB: b.id,
    // The partner may have no third key; a system that stays must not keep this one.
    end: () => void admin(system, ['key', 'revoke', '--key', String(keysOnly.key.id)]),
    callers: {
      nobody: {},
      userA: bearer(tokenA),
      userB: bearer(tokenB),
      suspendedUser: bearer(tokenOfSuspended),
      expiredToken: bearer(expired(system, tokenA)),
      partnerP: keys(dev.partner),
      partnerQ: keys(dev.other_partner),
      withoutScope: keys(keysOnly.key),
      revokedKey: keys(revoked.key),
    },
  };
}

/** The operator's command, against the running system. */
export function admin(
  system: System,
  args: string[],
): { key: { id: number; api_key: string; api_secret: string } } {
  const env = { ...process.env, CASEWATCH_DATA: system.dataDir, NODE_OPTIONS: '' };
  return JSON.parse(
    execFileSync(process.execPath, [join(root, 'tools/dev/admin.mjs'), ...args, '--json'], {
      cwd: root,
      env,
      encoding: 'utf8',
    }),
  );
}

/** Signs in as a person does: the code comes by mail. */
export async function signIn(dev: DevFile, email: string): Promise<string> {
  const before = (await mailsTo(dev, email)).length;
  const asked = await post(dev, '/v1/auth/login-code', { email });
  const { request_id } = asked as { request_id: string };
  const mail = await waitFor(async () => (await mailsTo(dev, email))[before], { what: 'the code' });
  const code = /\b\d{6}\b/.exec(mail.text)?.[0];
  const issued = await post(dev, '/v1/auth/token', { email, code, request_id });
  return (issued as { access_token: string }).access_token;
}

async function post(dev: DevFile, path: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(dev.gateway_url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

/** The same token, signed by the same key, but over. */
function expired(system: System, token: string): string {
  const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
  const [jwk] = JSON.parse(env.identity.TOKEN_SIGNING_KEYS).keys;
  const { header, payload } = jwt.decode(token, { complete: true }) ?? {};
  if (!header || typeof payload !== 'object') throw new Error('not a token');
  const past = Math.floor(Date.now() / 1000) - 60;
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return jwt.sign({ ...payload, iat: past - 900, exp: past }, key, {
    algorithm: 'ES256',
    header: { ...header, alg: 'ES256' },
  });
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

function keys({ api_key, api_secret }: { api_key: string; api_secret: string }) {
  return { 'x-api-key': api_key, 'x-api-secret': api_secret };
}
