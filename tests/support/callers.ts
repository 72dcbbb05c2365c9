import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, createPartner, keyHeaders, type PartnerKeys, signIn, succeed } from '@casewatch/driver';
import jwt from 'jsonwebtoken';
import type { System } from './system.ts';

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

/** Makes one caller of each kind; `userA` belongs to partner P, `userB` to Q. */
export async function makeCallers({ dev, dataDir }: System) {
  const addresses = dev();
  const p = createPartner(addresses, addresses.partner);
  const q = createPartner(addresses, addresses.other_partner);
  const [a, b, suspended] = await Promise.all([p.verifiedUser(), q.verifiedUser(), p.verifiedUser()]);
  const tokenOf = async ({ email }: { email: string }) => (await signIn(addresses, email)).access_token;
  const [tokenA, tokenB, tokenOfSuspended] = [await tokenOf(a), await tokenOf(b), await tokenOf(suspended)];
  const body = { status: 'suspended' };
  await succeed(addresses, 'PUT', { as: p.headers, path: `/v1/client/users/${suspended.id}`, body });
  const revoke = ({ id }: PartnerKeys) =>
    succeed(addresses, 'DELETE', { as: p.headers, path: `/v1/client/keys/${id}` });
  // In this order: a partner has two live keys at most.
  const revoked = await p.newKey();
  await revoke(revoked);
  const keysOnly = await p.newKey({ scopes: ['keys'] });
  const callers: Callers = {
    nobody: {},
    userA: bearer(tokenA),
    userB: bearer(tokenB),
    suspendedUser: bearer(tokenOfSuspended),
    expiredToken: bearer(expired(dataDir, tokenA)),
    partnerP: p.headers,
    partnerQ: q.headers,
    withoutScope: keyHeaders(keysOnly),
    revokedKey: keyHeaders(revoked),
  };
  // The partner may have no third key; a system that stays must not keep this one.
  return { userA: a.id, userB: b.id, callers, end: () => revoke(keysOnly) };
}

/** The same token, signed by the same key, but over. */
function expired(dataDir: string, token: string): string {
  const env = JSON.parse(readFileSync(join(dataDir, 'dev-env.json'), 'utf8'));
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
