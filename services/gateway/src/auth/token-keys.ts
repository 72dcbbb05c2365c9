import { createPublicKey, type KeyObject } from 'node:crypto';
import { ApiError, type Bus } from '@casewatch/platform';

export type TokenKey = { readonly key: KeyObject; readonly issuer: string; readonly audience: string };

export type TokenKeys = {
  /** @throws ApiError invalid_token, service_unavailable */
  find(kid: string): Promise<TokenKey>;
};

/** Keys are published one minute before they sign, so this finds them in time, ms. */
const refreshAfterMs = 20_000;
/** Maximum age of the keys in use, ms. */
const staleAfterMs = 60_000;
/** Minimum time between requests because of an unknown key id, ms: anyone can make up key ids. */
const floorMs = 5_000;

type KeySet = { readonly byId: ReadonlyMap<string, TokenKey>; readonly askedAt: number };

export function createTokenKeys(bus: Bus, now: () => number): TokenKeys {
  let current: KeySet | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<KeySet> | undefined;

  function refreshKeys(): Promise<KeySet> {
    refreshedAt = now();
    refreshing ??= fetchKeys(bus, refreshedAt)
      .then((set) => {
        current = set;
        return set;
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  }

  async function keySet(): Promise<KeySet> {
    if (!current || now() - current.askedAt > staleAfterMs) return await refreshKeys();
    // A failure is retried by the next call.
    if (now() - refreshedAt > refreshAfterMs) refreshKeys().catch(() => undefined);
    return current;
  }

  return {
    async find(kid) {
      const set = await keySet();
      const cachedKey = set.byId.get(kid);
      if (cachedKey) return cachedKey;
      const newer = refreshing || now() - refreshedAt > floorMs ? await (refreshing ?? refreshKeys()) : set;
      const key = newer.byId.get(kid);
      if (!key) throw new ApiError('invalid_token', { detail: 'unknown key id' });
      return key;
    },
  };
}

async function fetchKeys(bus: Bus, askedAt: number): Promise<KeySet> {
  const { keys, issuer, audience } = await bus.request('identity.jwks', {});
  const entries = keys.map(
    (jwk) =>
      [jwk.kid, { key: createPublicKey({ key: { ...jwk }, format: 'jwk' }), issuer, audience }] as const,
  );
  return { byId: new Map(entries), askedAt };
}
