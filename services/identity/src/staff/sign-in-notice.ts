import type { StaffMailRequest } from '@casewatch/contracts';
import { networkOf, type Running } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { knownNetworkIds, knownNetworkOf, signInName } from '../credentials/known-networks.ts';
import { startMailLoop } from '../loops/mail-loop.ts';
import { mailPartnerOf } from '../present/mail-partner.ts';
import type { MailDelivery } from '../store/mail-queue.ts';
import type { StaffMember } from '../store/staff.ts';

// A member is told by mail of a sign-in from a network or a browser that was not seen in the last 30 days (firm.md §1). The first
// sign-in of a member is the acceptance of an invitation, which comes from a mail: nobody is told of that one.

const dayMs = 24 * 60 * 60 * 1_000;

/** Where somebody signs in: `browser` is a name from a closed list (`Firefox on Windows`), for people to recognize. */
export type Place = { address: string; browser: string };

/** Reads whether the place is known. Before the transaction: it decides only about a mail. */
export async function newsOf(ctx: Context, { address, browser }: Place, emailLower: string) {
  const name = signInName('staff', emailLower);
  const now = ctx.clock.now();
  const [isNetworkKnown, isBrowserKnown] = await Promise.all(
    [networkOf(address), browserPlace(browser)].map((place) =>
      ctx.stores.knownNetworks.isKnown(knownNetworkIds(ctx.macs, name, place), now),
    ),
  );
  const isNew = !isNetworkKnown || !isBrowserKnown;
  return isNew ? { delivery: await ctx.stores.staffNotices.mails.newDelivery() } : null;
}

/** Makes network and browser known, and queues the mail about them, in the caller's transaction. */
export async function keepPlace(
  ctx: Context,
  tx: Session,
  { member, place, news, sessionId }: Seen,
): Promise<void> {
  const name = signInName('staff', member.email_lower ?? '');
  const now = ctx.clock.now();
  for (const known of [networkOf(place.address), browserPlace(place.browser)])
    await ctx.stores.knownNetworks.record(knownNetworkOf(ctx.macs, name, known), now, tx);
  if (news === null) return;
  const { _id: staff_id, partner_id } = member;
  const expires_at = new Date(now.getTime() + dayMs);
  const notice = {
    _id: sessionId,
    staff_id,
    partner_id,
    created_at: now,
    expires_at,
    delivery: news.delivery,
  };
  await ctx.stores.staffNotices.insert(notice, tx);
}

type Seen = {
  member: StaffMember;
  place: Place;
  news: { delivery: MailDelivery } | null;
  sessionId: string;
};

/** No address of a network has this form. */
function browserPlace(browser: string): string {
  return `browser ${browser}`;
}

export function sendSignInNotices(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'sign-in notices',
    queue: ctx.stores.staffNotices.mails,
    compose: (id) => compose(ctx, id),
    signal: 'signInNotices',
  });
}

/** Null if the member is none any more. */
async function compose(ctx: Context, id: string): Promise<StaffMailRequest | null> {
  const notice = await ctx.stores.staffNotices.find(id);
  const member = notice && (await ctx.stores.staff.find(notice.staff_id));
  if (!notice || member?.status !== 'active' || member.email === null) return null;
  return {
    kind: 'staff_signed_in',
    message_id: `sign-in-${id}`,
    to: member.email,
    language: member.language,
    expires_at: notice.expires_at.toISOString(),
    link: `${ctx.config.PUBLIC_URL}/console/settings`,
    staff_id: member._id,
    partner: await mailPartnerOf(ctx, member.partner_id),
  };
}
