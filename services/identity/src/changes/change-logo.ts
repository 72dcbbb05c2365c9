import { createHash } from 'node:crypto';
import type { FetchLogoReply } from '@casewatch/contracts';
import type { Session } from '@casewatch/platform/database';
import type { WriteContext } from '../context.ts';
import type { Partner } from '../store/partners.ts';
import { changePartner } from './change-partner.ts';

type Change = { partnerId: number; logo_url: string | null; logo: FetchLogoReply | null };

/** Replaces the logo of a partner and our copy of it, in the caller's transaction. A refused logo leaves none. */
export async function changeLogo(
  ctx: WriteContext,
  tx: Session,
  { partnerId, logo_url, logo }: Change,
): Promise<Partner> {
  const copy = logo?.outcome === 'fetched' ? copyOf(logo) : null;
  const logo_fault = logo?.outcome === 'refused' ? logo.fault : null;
  if (copy) await ctx.stores.logos.put({ _id: partnerId, ...copy }, tx);
  else await ctx.stores.logos.remove(partnerId, tx);
  const set = { logo_url, logo_name: copy?.name ?? null, logo_fault };
  return await changePartner(ctx, tx, { partnerId, set });
}

/** The name changes with the content, so that browsers can keep the file for ever. */
function copyOf({ type, content: base64 }: Extract<FetchLogoReply, { outcome: 'fetched' }>) {
  const content = Buffer.from(base64, 'base64');
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { name: `${hash}.${type}`, content };
}
