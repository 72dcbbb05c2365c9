import type { SigningKey } from '../domain/signing-key.ts';

/** The keys as this replica knows them. */
export type SigningKeyRing = {
  keys(): readonly SigningKey[];
  /** Reads the stored keys now and answers them. */
  refresh(): Promise<readonly SigningKey[]>;
};

/** @param load reads the keys from the store */
export async function loadSigningKeyRing(
  load: () => Promise<readonly SigningKey[]>,
): Promise<SigningKeyRing> {
  let keys = await load();
  return {
    keys: () => keys,
    async refresh() {
      keys = await load();
      return keys;
    },
  };
}
