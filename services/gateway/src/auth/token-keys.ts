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
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<KeySet> | undefined;

  function look(): Promise<KeySet> {
    lookedAt = now();
    looking ??= fetchKeys(bus, lookedAt)
      .then((set) => {
        current = set;
        return set;
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function keySet(): Promise<KeySet> {
    if (!current || now() - current.askedAt > staleAfterMs) return await look();
    // A failure is retried by the next call.
    if (now() - lookedAt > refreshAfterMs) look().catch(() => undefined);
    return current;
  }

  return {
    async find(kid) {
      const set = await keySet();
      const known = set.byId.get(kid);
      if (known) return known;
      const newer = looking || now() - lookedAt > floorMs ? await (looking ?? look()) : set;
      const found = newer.byId.get(kid);
      if (!found) throw new ApiError('invalid_token', { detail: 'unknown key id' });
      return found;
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
