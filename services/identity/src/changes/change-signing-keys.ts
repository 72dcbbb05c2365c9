import type { Clock, Logger, SecretBox } from '@casewatch/platform';
import { type Connection, type Session, transaction } from '@casewatch/platform/database';
import { type KeyMaterial, newSigningKey } from '../credentials/new-signing-key.ts';
import { type SigningKey, signingAt } from '../domain/signing-key.ts';
import type { Stores } from '../store/stores.ts';

type Writing = {
  readonly clock: Clock;
  readonly db: Connection;
  readonly stores: Pick<Stores, 'signingKeys'>;
  readonly box: SecretBox;
};

/**
 * At each start: seals every key with the current pepper (docs/adr/0013), and adds a key if none can sign. Several replicas
 * may do this in parallel. `settingsKeys`: the keys of the settings, the signing key first.
 */
export async function prepareSigningKeys(
  ctx: Writing & { readonly log: Logger },
  settingsKeys: readonly KeyMaterial[],
): Promise<void> {
  const { signingKeys } = ctx.stores;
  const count = await signingKeys.reseal(ctx.box);
  if (count > 0) ctx.log.info({ count }, 'signing keys sealed with the current pepper');
  const keys = await signingKeys.list(ctx.box);
  const now = ctx.clock.now();
  if (signingAt(keys, now)) return;
  if (keys.length > 0) {
    // The pepper that sealed the keys is no longer in the ring.
    await rotateSigningKey(ctx, now);
    return;
  }
  const materials = settingsKeys.length > 0 ? settingsKeys.toReversed() : [newSigningKey()];
  for (const [i, material] of materials.entries()) {
    await signingKeys.insert(ctx.box, { material, generation: i + 1, signsFrom: now, now });
  }
}

/** Adds a key that signs from `signsFrom`. Older keys stay published while their tokens live. Null after another rotation. */
export async function rotateSigningKey(ctx: Writing, signsFrom: Date): Promise<SigningKey | null> {
  return await addGeneration(ctx, signsFrom, (generation, tx) =>
    ctx.stores.signingKeys.endPredecessors(generation, signsFrom, tx),
  );
}

/** Adds a key that signs now and unpublishes all others, whose tokens end. For a leaked key. */
export async function replaceSigningKeys(ctx: Writing): Promise<SigningKey | null> {
  const now = ctx.clock.now();
  return await addGeneration(ctx, now, (generation, tx) =>
    ctx.stores.signingKeys.unpublishOlder(generation, now, tx),
  );
}

async function addGeneration(
  ctx: Writing,
  signsFrom: Date,
  retireOlder: (generation: number, tx: Session) => Promise<void>,
): Promise<SigningKey | null> {
  const material = newSigningKey();
  return await transaction(ctx.db, async (tx) => {
    const keys = await ctx.stores.signingKeys.list(ctx.box, tx);
    const generation = (keys.at(-1)?.generation ?? 0) + 1;
    const key = { material, generation, signsFrom, now: ctx.clock.now() };
    if (!(await ctx.stores.signingKeys.insert(ctx.box, key, tx))) return null;
    await retireOlder(generation, tx);
    return { generation, ...material, signs_from: signsFrom, published_until: null };
  });
}
