import type { Body, PartnerPrincipal, VerificationDelivery } from '@casewatch/contracts';
import { type Answer, faultsError, type Handler } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { addUser } from '../../changes/change-user.ts';
import { type QueuedVerification, queueVerification } from '../../changes/queue-verification.ts';
import type { Context } from '../../context.ts';
import { faultsOfNewUser } from '../../domain/check-user-body.ts';
import { newPartnerUser } from '../../domain/new-user.ts';
import type { User } from '../../domain/user.ts';
import { presentUser } from '../../present/user.ts';
import {
  presentQueuedDelivery,
  presentSkippedDelivery,
  recipientLimitMessage,
} from '../../present/verification-delivery.ts';
import { mapAddressTaken } from './load-user.ts';
import { signUp } from './sign-up.ts';

/** POST /v1/users: a partner's new user, or a sign-up. */
export function createUser(ctx: Context): Handler<'create_user'> {
  return async ({ caller, body, address, remember }) => {
    if (caller.kind === 'anonymous') return await signUp(ctx, body, address);
    const creation = { caller, body, sendVerification: true, list: '/v1/users', remember } as const;
    return await createUserOfPartner(ctx, creation);
  };
}

/** POST /v1/client/users */
export function createPartnerUser(ctx: Context): Handler<'create_partner_user'> {
  return async ({ caller, body: { send_verification: sendVerification, ...body }, remember }) => {
    const creation = { caller, body, sendVerification, list: '/v1/client/users', remember } as const;
    return await createUserOfPartner(ctx, creation);
  };
}

type Created = Answer<'create_partner_user'>;
type Creation = {
  caller: PartnerPrincipal;
  body: Body<'create_user'>;
  sendVerification: boolean;
  list: '/v1/users' | '/v1/client/users';
  remember: (tx: Session, answer: Created, userId: number) => Promise<void>;
};

/** @throws ApiError validation_failed, email_already_exists */
async function createUserOfPartner(ctx: Context, creation: Creation): Promise<Created> {
  const { caller, body, sendVerification, list, remember } = creation;
  const faults = faultsOfNewUser(body);
  if (faults.length > 0) throw faultsError(faults);
  const now = ctx.clock.now();
  const user = newPartnerUser({ id: await ctx.ids.next('users'), body, caller, now });
  const answer = await mapAddressTaken(
    transaction(ctx.db, async (tx) => {
      await addUser(ctx, tx, user);
      const verification = sendVerification ? await queueVerification(ctx, user, tx) : null;
      const created = present(user, verification, list);
      await remember(tx, created, user._id);
      return created;
    }),
  );
  if (sendVerification) ctx.signals.emit('verificationMails');
  return answer;
}

function present(user: User, verification: QueuedVerification | null, list: Creation['list']): Created {
  return {
    headers: { location: `${list}/${user._id}` },
    body: {
      success: true,
      message: `User created. ${verification ? sentenceOf(verification) : 'No verification e-mail was sent.'}`,
      verification_required: true,
      verification_delivery: deliveryOf(user, verification),
      user: presentUser(user),
    },
  };
}

function sentenceOf({ row }: QueuedVerification): string {
  return row ? 'We have sent the user a verification e-mail.' : recipientLimitMessage;
}

function deliveryOf(user: User, verification: QueuedVerification | null): VerificationDelivery {
  if (!verification) return presentSkippedDelivery(user, 'not_requested', user.created_at);
  const { row, freeAt } = verification;
  if (!row) return presentSkippedDelivery(user, 'recipient_limit', freeAt);
  // The mail of the creation does not count towards the limits of resending.
  return presentQueuedDelivery(user, row, row.created_at);
}
