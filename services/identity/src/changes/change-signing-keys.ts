import {
  type Clock,
  type Connection,
  type Logger,
  type SecretBox,
  type Session,
  transaction,
} from '@casewatch/platform';
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
 * Makes sure, at each start and in many replicas at once, that there is a key to sign with, and that the current pepper seals
 * every key, so that a former one can be dropped (docs/adr/0023). Replicas with the former pepper in front can open it, too.
 * @param given the keys of the settings, the signing one first
 */
export async function prepareSigningKeys(
  ctx: Writing & { readonly log: Logger },
  given: readonly KeyMaterial[],
): Promise<void> {
  const count = await ctx.stores.signingKeys.reseal(ctx.box);
  if (count > 0) ctx.log.info({ count }, 'signing keys sealed with the current pepper');
  await ensureSigningKey(ctx, given);
}

/** At the first start those given, else a new one; one of several replicas makes it. */
async function ensureSigningKey(ctx: Writing, given: readonly KeyMaterial[]): Promise<void> {
  const keys = await ctx.stores.signingKeys.list(ctx.box);
  const now = ctx.clock.now();
  if (signingAt(keys, now)) return;
  if (keys.length > 0) {
    // The pepper that sealed them is gone from the ring: nobody can sign with these any more.
    await rotateSigningKey(ctx, now);
    return;
  }
  // The highest generation signs.
  const materials = given.length > 0 ? given.toReversed() : [newSigningKey()];
  for (const [i, material] of materials.entries()) {
    await ctx.stores.signingKeys.insert(ctx.box, { material, generation: i + 1, signsFrom: now, now });
  }
}

/**
 * A new key, published from now on, which signs from `signsFrom` on; those before it stay published while their tokens live.
 * Null where another rotation came first.
 */
export async function rotateSigningKey(ctx: Writing, signsFrom: Date): Promise<SigningKey | null> {
  return await addGeneration(ctx, signsFrom, (generation, tx) =>
    ctx.stores.signingKeys.endPredecessors(generation, signsFrom, tx),
  );
}

/** A new key that signs now, and none beside it: every token that an older one signed ends. For a key that leaked. */
export async function replaceSigningKeys(ctx: Writing): Promise<SigningKey | null> {
  const now = ctx.clock.now();
  return await addGeneration(ctx, now, (generation, tx) =>
    ctx.stores.signingKeys.unpublishOlder(generation, now, tx),
  );
}

async function addGeneration(
  ctx: Writing,
  signsFrom: Date,
  settle: (generation: number, tx: Session) => Promise<void>,
): Promise<SigningKey | null> {
  const material = newSigningKey();
  return await transaction(ctx.db, async (tx) => {
    const keys = await ctx.stores.signingKeys.list(ctx.box, tx);
    const generation = (keys.at(-1)?.generation ?? 0) + 1;
    const key = { material, generation, signsFrom, now: ctx.clock.now() };
    if (!(await ctx.stores.signingKeys.insert(ctx.box, key, tx))) return null;
    await settle(generation, tx);
    return { generation, ...material, signs_from: signsFrom, published_until: null };
  });
}
