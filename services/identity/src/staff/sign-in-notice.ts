import { networkOf } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { knownNetworkIds, knownNetworkOf, signInName } from '../credentials/known-networks.ts';
import type { MailDelivery } from '../store/mail-queue.ts';
import type { StaffMember } from '../store/staff.ts';
import { tell } from './notices.ts';

// A member is told by mail of a sign-in from a network or a browser that was not seen in the last 30 days (firm.md §1). The first
// sign-in of a member is the acceptance of an invitation, which comes from a mail: nobody is told of that one.

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
  await tell(ctx, tx, { id: sessionId, member, news: { kind: 'signed_in' }, delivery: news.delivery });
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
