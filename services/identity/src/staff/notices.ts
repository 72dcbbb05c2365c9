import { randomUUID } from 'node:crypto';
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
import type { StaffNotice } from '../store/staff-notices.ts';

// Mails that tell members of staff what happened to their account or their firm's settings. A row with each, written with what it
// tells of.

const dayMs = 24 * 60 * 60 * 1_000;
/** Owners of one firm; more are not told. */
const maxOwners = 50;

/** What a notice says, and until when it is worth sending, ms. */
type News = Pick<StaffNotice, 'kind' | 'second_factor' | 'ends_at'> & {
  settings?: readonly PartnerSetting[];
  lastsMs?: number;
};
/** `delivery`: made before the transaction, which asks the database for nothing else. */
type Told = { partnerId: number; news: News; delivery: MailDelivery };

/** Tells all active owners, in the caller's transaction; emit `staffNotices` after the commit. */
export async function tellOwners(
  ctx: Teller,
  tx: Session,
  { partnerId, news, delivery }: Told,
): Promise<void> {
  for (const owner of await ctx.stores.staff.activeOwners(partnerId, maxOwners, tx))
    await tell(ctx, tx, { member: owner, news, delivery });
}

type ToldOfFactor = {
  member: StaffMember;
  change: SecondFactorChange;
  codesLeft: number;
  delivery: MailDelivery;
};

/** Tells a member what happened to the second factor, in the caller's transaction; emit `staffNotices` after the commit. */
export async function tellMember(
  ctx: Teller,
  tx: Session,
  { member, change, codesLeft, delivery }: ToldOfFactor,
): Promise<void> {
  const second_factor = { change, codes_left: codesLeft };
  await tell(ctx, tx, { member, news: { kind: 'second_factor_changed', second_factor }, delivery });
}

type Teller = Pick<WriteContext, 'clock' | 'stores'>;
type Notice = { id?: string; member: StaffMember; news: News; delivery: MailDelivery };

/** Queues the mail to a member, in the caller's transaction. `id`: where it is not a new one. */
export async function tell(
  { clock, stores }: Teller,
  tx: Session,
  { id = randomUUID(), member, news, delivery }: Notice,
): Promise<void> {
  const { _id: staff_id, partner_id } = member;
  const { lastsMs = dayMs, settings = [], ...said } = news;
  const now = clock.now();
  const times = { created_at: now, expires_at: new Date(now.getTime() + lastsMs) };
  await stores.staffNotices.insert(
    { _id: id, ...said, settings, staff_id, partner_id, ...times, delivery },
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
