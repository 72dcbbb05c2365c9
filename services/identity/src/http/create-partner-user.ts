import { faultsError, type Handler, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { faultsOfNewUser } from '../domain/check-user-body.ts';
import { newPartnerUser } from '../domain/new-user.ts';
import { addUser } from '../store/change-user.ts';
import { orEmailTaken } from './email-taken.ts';
import { partnerCaller } from './load-user.ts';
import { presentUser } from './present-user.ts';
import { presentQueuedDelivery, presentSkippedDelivery } from './present-verification-delivery.ts';
import { queueVerification } from './queue-verification.ts';

/** POST /v1/client/users: a new user of the partner's, and their verification mail unless it is not wanted. */
export function createPartnerUser(ctx: Context): Handler<'create_partner_user'> {
  return async ({ principal, body }) => {
    const caller = partnerCaller(principal);
    const faults = faultsOfNewUser(body);
    if (faults.length > 0) throw faultsError(faults);
    const now = ctx.clock.now();
    const user = newPartnerUser({ id: await ctx.ids.next('users'), body, caller, now });
    const verification = await orEmailTaken(
      transaction(ctx.db, async (session) => {
        await addUser(ctx, session, user);
        return body.send_verification ? await queueVerification(ctx, user, session) : null;
      }),
    );
    if (verification) ctx.verificationMails.wake();
    return {
      headers: { location: `/v1/client/users/${user._id}` },
      body: {
        success: true,
        message: verification
          ? 'User created. We have sent them an e-mail to verify their address.'
          : 'User created. No verification e-mail was sent.',
        verification_required: true,
        // The mail of the creation does not count towards the limits: another may be asked for at once.
        verification_delivery: verification
          ? presentQueuedDelivery(user, verification, verification.created_at)
          : presentSkippedDelivery(user, 'not_requested', now),
        user: presentUser(user),
      },
    };
  };
}
