import { type Channel, channel, toPartnerTime } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { findSuppressions, type Recipient } from './find-suppressions.ts';

const lookBackMs = 30 * 24 * 60 * 60 * 1000;
/** Notifications that are read at most of those that failed, and of those that were not sent. */
const maxRead = 500;
const maxShown = 100;

/** GET /v1/client/suppressions */
export function listSuppressions(ctx: Context): Handler<'list_suppressions'> {
  return async ({ caller, query: { user_id } }) => {
    const found =
      user_id === undefined
        ? await unreachableOf(ctx, caller.partner_id)
        : await findSuppressions(ctx, onBothChannels(user_id), caller.partner_id);
    const newest = found.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, maxShown);
    return {
      body: {
        suppressions: newest.map(({ user, channel, reason, at }) => ({
          user: { id: user.id, name: user.name },
          channel,
          reason,
          since: toPartnerTime(at),
        })),
      },
    };
  };
}

/** People of the partner whose latest messages did not arrive, and whom messages do not reach now. */
export async function unreachableOf(ctx: Context, partnerId: number) {
  return await findSuppressions(ctx, await candidatesOf(ctx, partnerId), partnerId);
}

function onBothChannels(userId: number): Recipient[] {
  return channel.options.map((channel: Channel) => ({ userId, channel }));
}

/** Users whose latest messages did not arrive: addresses are stored without their users. */
async function candidatesOf({ stores, clock }: Context, partnerId: number): Promise<Recipient[]> {
  const since = new Date(clock.now().getTime() - lookBackMs);
  const rows = await stores.notifications.undeliverableOf(partnerId, since, maxRead);
  const unique = new Map(
    rows.map(({ user_id, channel }) => [`${user_id}:${channel}`, { userId: user_id, channel }]),
  );
  return [...unique.values()];
}
