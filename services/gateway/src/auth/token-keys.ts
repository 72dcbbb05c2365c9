import { createPublicKey, type KeyObject } from 'node:crypto';
import { ApiError, type Bus } from '@casewatch/platform';

/** A key that verifies bearer tokens, and what their claims must say. */
export type TokenKey = { readonly key: KeyObject; readonly issuer: string; readonly audience: string };

export type TokenKeys = {
  /** @throws ApiError invalid_token where no such key is published, service_unavailable where that cannot be known */
  find(kid: string): Promise<TokenKey>;
};

/** New keys are published a minute before they sign: this is how often they are looked for, ms. */
const refreshAfterMs = 20_000;
/** A set this old is not used any more, ms. */
const staleAfterMs = 60_000;
/** An unknown key id makes it look at most this often, ms: key ids are anybody's to make up. */
const floorMs = 5_000;

type KeySet = { readonly byId: ReadonlyMap<string, TokenKey>; readonly askedAt: number };

/** Identity's public keys. @param now milliseconds on a clock that never goes back */
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
    // Nobody waits for it; where it fails, the next one asks again.
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
