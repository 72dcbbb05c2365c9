import { type SecretBox, type Session, transaction } from '@casewatch/platform';
import type { WriteContext } from '../context.ts';
import { type KeyMaterial, newSigningKey } from '../credentials/new-signing-key.ts';
import { type SigningKey, signingAt } from '../domain/signing-key.ts';

type Writing = Pick<WriteContext, 'clock' | 'db' | 'stores'> & { readonly box: SecretBox };

/**
 * Makes sure that there is a key to sign with: at the first start those given (the last signs), else a new one. Many replicas may
 * start at once: one of them makes it.
 */
export async function ensureSigningKey(ctx: Writing, given: readonly KeyMaterial[]): Promise<void> {
  const keys = await ctx.stores.signingKeys.list(ctx.box);
  const now = ctx.clock.now();
  if (signingAt(keys, now)) return;
  if (keys.length > 0) {
    // The pepper that sealed them is gone from the ring: nobody can sign with these any more.
    await rotateSigningKey(ctx, now);
    return;
  }
  const materials = given.length > 0 ? given : [newSigningKey()];
  for (const [i, material] of materials.entries()) {
    await ctx.stores.signingKeys.insert(ctx.box, { material, generation: i + 1, signsFrom: now, now });
  }
}

/**
 * A new key, published from now on, which signs from `signsFrom` on; those before it stay published while their tokens live.
 * Null where another rotation came first.
 */
export async function rotateSigningKey(ctx: Writing, signsFrom: Date): Promise<SigningKey | null> {
  return await addGeneration(ctx, signsFrom, (generation, session) =>
    ctx.stores.signingKeys.succeed(generation, signsFrom, session),
  );
}

/** A new key that signs now, and none beside it: every token that an older one signed ends. For a key that leaked. */
export async function replaceSigningKeys(ctx: Writing): Promise<SigningKey | null> {
  const now = ctx.clock.now();
  return await addGeneration(ctx, now, (generation, session) =>
    ctx.stores.signingKeys.drop(generation, now, session),
  );
}

async function addGeneration(
  ctx: Writing,
  signsFrom: Date,
  settle: (generation: number, session: Session) => Promise<void>,
): Promise<SigningKey | null> {
  const material = newSigningKey();
  return await transaction(ctx.db, async (session) => {
    const keys = await ctx.stores.signingKeys.list(ctx.box, session);
    const generation = (keys.at(-1)?.generation ?? 0) + 1;
    const key = { material, generation, signsFrom, now: ctx.clock.now() };
    if (!(await ctx.stores.signingKeys.insert(ctx.box, key, session))) return null;
    await settle(generation, session);
    return { generation, ...material, signs_from: signsFrom, published_until: null };
  });
}
