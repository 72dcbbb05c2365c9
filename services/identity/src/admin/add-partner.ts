import { type Session, transaction } from '@casewatch/platform';
import type { KeyPair } from '../credentials/api-key.ts';
import { newKey } from '../credentials/new-key.ts';
import type { Partner } from '../store/partners.ts';
import type { AdminContext } from './admin-context.ts';

type NewPartner = { name: string; email: string; keyName: string; pair?: KeyPair };

/** A partner with a first key pair, which may do everything. */
export async function addPartner(
  ctx: AdminContext,
  { name, email, keyName, ...given }: NewPartner,
): Promise<{ partner: Partner; keyId: number; pair: KeyPair }> {
  const partner = await newPartner(ctx, { name, email });
  const { row, pair } = await newKey(ctx, { partnerId: partner._id, name: keyName, ...given });
  await transaction(ctx.db, async (tx: Session) => {
    await ctx.stores.partners.insert(partner, tx);
    await ctx.stores.apiKeys.insert(row, tx);
  });
  return { partner, keyId: row._id, pair };
}

async function newPartner(
  ctx: AdminContext,
  { name, email }: { name: string; email: string },
): Promise<Partner> {
  const now = ctx.clock.now();
  return {
    _id: await ctx.ids.next('partners'),
    name,
    email,
    status: 'active',
    logo_url: null,
    notify_unverified: false,
    case_url: null,
    reply_to: null,
    support_contact: null,
    version: 1,
    keys_version: 1,
    created_at: now,
    updated_at: now,
  };
}
