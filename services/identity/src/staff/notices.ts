import type {
  DeletionMailRequest,
  PartnerSetting,
  SecondFactorChange,
  StaffMailRequest,
} from '@casewatch/contracts';
import type { Running } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context, WriteContext } from '../context.ts';
import { startMailLoop } from '../loops/mail-loop.ts';
import { mailPartnerOf } from '../present/mail-partner.ts';
import type { MailDelivery } from '../store/mail-queue.ts';
import type { StaffMember } from '../store/staff.ts';

// Mails that tell members of staff what happened to their account or their firm's settings. A row with each, written with what it
// tells of.

const dayMs = 24 * 60 * 60 * 1_000;
/** Owners of one firm; more are not told. */
export const maxOwners = 50;

/** `delivery`: made before the transaction, which asks the database for nothing else. */
type Changed = { partnerId: number; changed: readonly PartnerSetting[]; delivery: MailDelivery };

/** Tells all active owners which settings changed, in the caller's transaction; emit `staffNotices` after the commit. */
export async function tellOwners(
  ctx: Context,
  tx: Session,
  { partnerId, changed, delivery }: Changed,
): Promise<void> {
  const owners = await ctx.stores.staff.activeOwners(partnerId, maxOwners, tx);
  const now = ctx.clock.now();
  for (const { _id: staff_id } of owners)
    await ctx.stores.staffNotices.insert(
      {
        _id: ctx.newId(),
        kind: 'settings_changed',
        settings: changed,
        staff_id,
        partner_id: partnerId,
        created_at: now,
        expires_at: new Date(now.getTime() + dayMs),
        delivery,
      },
      tx,
    );
}

type Told = { member: StaffMember; change: SecondFactorChange; codesLeft: number; delivery: MailDelivery };

/** Tells a member what happened to the second factor, in the caller's transaction; emit `staffNotices` after the commit. */
export async function tellMember(
  ctx: Pick<WriteContext, 'clock' | 'stores'> & Pick<Context, 'newId'>,
  tx: Session,
  { member: { _id: staff_id, partner_id }, change, codesLeft, delivery }: Told,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.stores.staffNotices.insert(
    {
      _id: ctx.newId(),
      kind: 'second_factor_changed',
      settings: [],
      second_factor: { change, codes_left: codesLeft },
      staff_id,
      partner_id,
      created_at: now,
      expires_at: new Date(now.getTime() + dayMs),
      delivery,
    },
    tx,
  );
}

export function sendStaffNotices(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'staff notices',
    queue: ctx.stores.staffNotices.mails,
    compose: (id) => compose(ctx, id),
    signal: 'staffNotices',
  });
}

/** Null if the member is none any more. */
async function compose(ctx: Context, id: string): Promise<StaffMailRequest | DeletionMailRequest | null> {
  const notice = await ctx.stores.staffNotices.find(id);
  const member = notice && (await ctx.stores.staff.find(notice.staff_id));
  if (!notice || member?.status !== 'active' || member.email === null) return null;
  const common = {
    message_id: `notice-${id}`,
    to: member.email,
    language: member.language,
    expires_at: notice.expires_at.toISOString(),
    staff_id: member._id,
    partner: await mailPartnerOf(ctx, member.partner_id),
  };
  if (notice.second_factor) {
    const link = `${ctx.config.PUBLIC_URL}/console/second-factor`;
    return { ...common, link, kind: 'second_factor_changed', ...notice.second_factor };
  }
  const mail = { ...common, link: `${ctx.config.PUBLIC_URL}/console/settings` };
  if (notice.kind === 'partner_deletion')
    return await composeDeletion(ctx, { common, partnerId: notice.partner_id, endsAt: notice.ends_at });
  return notice.kind === 'settings_changed'
    ? { ...mail, kind: notice.kind, settings: [...notice.settings] }
    : { ...mail, kind: 'staff_signed_in' };
}

type Deletion = {
  common: Omit<DeletionMailRequest, 'kind' | 'ends_at'>;
  partnerId: number;
  endsAt: Date | undefined;
};

/** Null if the partner was restored before the mail went. */
async function composeDeletion(ctx: Context, { common, partnerId, endsAt }: Deletion) {
  const partner = await ctx.stores.partners.find(partnerId);
  if (!endsAt || partner?.deletion?.due_at.getTime() !== endsAt.getTime()) return null;
  return { ...common, kind: 'partner_deletion', ends_at: endsAt.toISOString() } as const;
}
