import { acted, ApiError, actedFor } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { WriteContext } from '../context.ts';
import { isUsableFrom } from '../credentials/key-limits.ts';
import { type ApiKey, isDispensable, isLiveKey, maxLiveKeys, overlapEnd } from '../domain/api-key.ts';
import { assertStays } from './change-user.ts';

type Writing = Pick<WriteContext, 'clock' | 'stores'>;

// All of these run in the caller's transaction. Changes of one partner's keys conflict with each other (`touchKeys`), so no
// two in parallel create a third live key or revoke the last.

/** @throws ApiError key_limit_reached, partner_suspended */
export async function addKey(ctx: Writing, tx: Session, key: ApiKey): Promise<void> {
  await assertStays(ctx, tx, key.partner_id);
  await ctx.stores.partners.touchKeys(key.partner_id, tx);
  await ctx.stores.apiKeys.insert(key, tx);
  actedFor(key.partner_id);
  acted('key', key._id);
  await assertKeyLimit(ctx, tx, key.partner_id);
}

/** `keepFor`: the address of a caller that must not lock its partner out; null: the operator may. */
type KeepFor = { keepFor: string | null };
type Replacement = { old: ApiKey; successor: ApiKey; overlapSeconds: number } & KeepFor;

/**
 * The old key stays valid for the overlap.
 * @throws ApiError key_not_found (the old key has ended), key_limit_reached, last_key if the partner would lose access
 */
export async function replaceKey(
  ctx: Writing,
  tx: Session,
  { old, successor, overlapSeconds, keepFor }: Replacement,
): Promise<ApiKey> {
  await ctx.stores.partners.touchKeys(old.partner_id, tx);
  const now = ctx.clock.now();
  const current = await ctx.stores.apiKeys.find(old._id, tx);
  if (!current || !isLiveKey(current, now)) throw new ApiError('key_not_found');
  await ctx.stores.apiKeys.insert(successor, tx);
  actedFor(old.partner_id);
  acted('key', successor._id);
  acted('key', old._id);
  const change = { expires_at: overlapEnd(current, now, overlapSeconds), replaced_by: successor._id };
  const replaced = await ctx.stores.apiKeys.update(current._id, change, tx);
  await assertKeyLimit(ctx, tx, old.partner_id);
  await assertNotLast(ctx, tx, current, keepFor);
  // Gateways may have cached the key without its new end.
  await ctx.stores.revocations.add(tx, { kind: 'key', id: old._id });
  return replaced;
}

/** @throws ApiError last_key if the partner would lose access */
export async function revokeKey(
  ctx: Writing,
  tx: Session,
  { key, keepFor }: { key: ApiKey } & KeepFor,
): Promise<ApiKey> {
  const { partners, apiKeys, revocations } = ctx.stores;
  await partners.touchKeys(key.partner_id, tx);
  const now = ctx.clock.now();
  const current = (await apiKeys.find(key._id, tx)) ?? key;
  if (current.revoked_at !== null) return current;
  await assertNotLast(ctx, tx, current, keepFor);
  const revoked = await apiKeys.update(key._id, { revoked_at: now }, tx);
  await revocations.add(tx, { kind: 'key', id: key._id });
  actedFor(key.partner_id);
  acted('key', key._id);
  return revoked;
}

async function assertNotLast(ctx: Writing, tx: Session, key: ApiKey, keepFor: string | null): Promise<void> {
  if (keepFor === null) return;
  const all = await ctx.stores.apiKeys.listOfPartner(key.partner_id, tx);
  const isUsable = (other: ApiKey) => isUsableFrom(other, { address: keepFor, parent: key });
  if (!isDispensable(key, { all, now: ctx.clock.now(), isUsable })) throw new ApiError('last_key');
}

async function assertKeyLimit(ctx: Writing, tx: Session, partnerId: number): Promise<void> {
  const now = ctx.clock.now();
  const all = await ctx.stores.apiKeys.listOfPartner(partnerId, tx);
  if (all.filter((key) => isLiveKey(key, now)).length > maxLiveKeys) throw new ApiError('key_limit_reached');
}
