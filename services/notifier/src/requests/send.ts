import type {
  ArrivalMailRequest,
  ReplyToMailRequest,
  SendRequest,
  StaffMailRequest,
} from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import { newMail } from '../changes/new-mail.ts';
import type { Context } from '../context.ts';
import type { RequestedMail } from '../domain/queued-mail.ts';

/** Mails of identity. */
export function answerSend(ctx: Context): RequestHandler<'notifier.send'> {
  return async (request) => {
    refuseForeignLink(ctx, request);
    await storeMail(ctx, request);
    return { accepted: true };
  };
}

/** Mails of identity to members of partners' staff. */
export function answerStaffMail(ctx: Context): RequestHandler<'notifier.staff_mail'> {
  return async (request) => {
    refuseForeignLink(ctx, request);
    await storeMail(ctx, request);
    return { accepted: true };
  };
}

/** The mail of identity to a new reply-to address of a partner. */
export function answerReplyToMail(ctx: Context): RequestHandler<'notifier.reply_to_mail'> {
  return async (request) => {
    refuseForeignLink(ctx, request);
    await storeMail(ctx, request);
    return { accepted: true };
  };
}

/** Mails of identity to people who arrive: a welcome, or a reminder to confirm the address. */
export function answerArrivalMail(ctx: Context): RequestHandler<'notifier.arrival_mail'> {
  return async (request) => {
    refuseForeignLink(ctx, request);
    await storeMail(ctx, request);
    return { accepted: true };
  };
}

/** The mail of identity to the owners of a partner that is deleted. */
export function answerDeletionMail(ctx: Context): RequestHandler<'notifier.deletion_mail'> {
  return async (request) => {
    await storeMail(ctx, request);
    return { accepted: true };
  };
}

/** The one mail of webhooks: its rights on the bus end at this request. */
export function answerEndpointFailing(ctx: Context): RequestHandler<'notifier.endpoint_failing'> {
  return async (request) => {
    await storeMail(ctx, { ...request, kind: 'endpoint_failing' });
    return { accepted: true };
  };
}

/** Stores a mail, encrypted. A repeated `message_id` is the same mail. */
async function storeMail(ctx: Context, mail: RequestedMail): Promise<void> {
  const userId = 'user_id' in mail ? mail.user_id : null;
  const staffId = 'staff_id' in mail ? mail.staff_id : null;
  if ((await eraseDeleted(ctx, userId)) || (await eraseRemoved(ctx, staffId))) return;
  const isNew = await ctx.stores.mails.insert(
    newMail(ctx, {
      content: mail,
      expiresAt: new Date(mail.expires_at),
      user_id: userId,
      staff_id: staffId,
      language: mail.language,
    }),
  );
  const isDeleted = (await eraseDeleted(ctx, userId)) || (await eraseRemoved(ctx, staffId));
  if (isNew && !isDeleted) ctx.signals.emit('mails');
}

/** Whether the user is deleted. The deletion writes its tombstone before it erases, so it misses mails of this moment: they go here. */
async function eraseDeleted(ctx: Context, userId: number | null): Promise<boolean> {
  if (userId === null || !(await ctx.stores.tombstones.has(userId))) return false;
  await ctx.stores.mails.deleteOfUser(userId);
  return true;
}

/** The same for a member of a partner's staff who was removed. */
async function eraseRemoved(ctx: Context, staffId: number | null): Promise<boolean> {
  if (staffId === null || !(await ctx.stores.staffTombstones.has(staffId))) return false;
  await ctx.stores.mails.deleteOfStaff(staffId);
  return true;
}

/** No service can make our mails link to another site. */
function refuseForeignLink(
  { config, log }: Context,
  request: SendRequest | StaffMailRequest | ReplyToMailRequest | ArrivalMailRequest,
): void {
  if (!('link' in request) || request.link.startsWith(`${config.PUBLIC_URL}/`)) return;
  const { message_id, kind } = request;
  log.warn({ mail: message_id, kind }, 'mail refused: its link does not begin with PUBLIC_URL');
  throw new ApiError('validation_failed', {
    message: 'The link must begin with PUBLIC_URL of the notifier.',
  });
}
