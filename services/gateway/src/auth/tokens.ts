import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { JwksReply, UserPrincipal } from '@casewatch/contracts';
import { ApiError, type Bus, type Clock } from '@casewatch/platform';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

export type Tokens = {
  /** @throws ApiError invalid_token, token_expired, token_revoked, account_suspended */
  verify(token: string): Promise<UserPrincipal>;
};

/** How long a session is believed to go on without asking identity, ms. */
const trustedForMs = 1_500;
/** Unknown key ids make us look for new keys at most this often, ms. */
const refetchAfterMs = 5_000;

const claims = z.object({
  sub: z.string().regex(/^[1-9]\d{0,15}$/),
  sid: z.string().min(1).max(64),
  exp: z.int(),
});

type KeySet = JwksReply & { byId: Map<string, KeyObject>; fetchedAt: number };

/** Bearer tokens: verified here with identity's public keys; whether the session still holds, identity says. */
export function createTokens(bus: Bus, clock: Clock): Tokens {
  const sessions = new LRUCache<string, Promise<UserPrincipal>>({ max: 10_000, ttl: trustedForMs });
  let keySet: Promise<KeySet> | undefined;

  async function keyFor(kid: string): Promise<{ key: KeyObject; set: KeySet }> {
    let set = await currentKeys();
    if (!set.byId.has(kid) && clock.now().getTime() - set.fetchedAt > refetchAfterMs) {
      keySet = undefined;
      set = await currentKeys();
    }
    const key = set.byId.get(kid);
    if (!key) throw new ApiError('invalid_token', { detail: 'unknown key id' });
    return { key, set };
  }

  function currentKeys(): Promise<KeySet> {
    keySet ??= fetchKeys(bus, clock).catch((error: unknown) => {
      keySet = undefined;
      throw error;
    });
    return keySet;
  }

  return {
    async verify(token) {
      const id = createHash('sha256').update(token).digest('base64url');
      const { key, set } = await keyFor(keyIdOf(token));
      const { sub, sid } = verifySignature(token, key, set);
      const known = sessions.get(id);
      if (known) return await known;
      const asked = askSession(bus, sid, Number(sub));
      sessions.set(id, asked);
      asked.catch(() => sessions.delete(id));
      return await asked;
    },
  };
}

async function fetchKeys(bus: Bus, clock: Clock): Promise<KeySet> {
  const jwks = await bus.request('identity.jwks', {});
  const byId = new Map(
    jwks.keys.map((jwk) => [jwk.kid, createPublicKey({ key: { ...jwk }, format: 'jwk' })]),
  );
  return { ...jwks, byId, fetchedAt: clock.now().getTime() };
}

function keyIdOf(token: string): string {
  const header = jwt.decode(token, { complete: true })?.header;
  if (header?.alg !== 'ES256' || header.typ !== 'at+jwt' || !header.kid) throw new ApiError('invalid_token');
  return header.kid;
}

function verifySignature(
  token: string,
  key: KeyObject,
  { issuer, audience }: KeySet,
): z.output<typeof claims> {
  try {
    return claims.parse(
      jwt.verify(token, key, { algorithms: ['ES256'], issuer, audience, clockTolerance: 5 }),
    );
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw new ApiError('token_expired');
    throw new ApiError('invalid_token', { detail: error instanceof Error ? error.message : 'unreadable' });
  }
}

async function askSession(bus: Bus, sessionId: string, userId: number): Promise<UserPrincipal> {
  const session = await bus.request('identity.session', { session_id: sessionId, user_id: userId });
  return { kind: 'user', ...session, session_id: sessionId };
}
