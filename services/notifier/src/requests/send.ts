import type { ReplyInput, RequestData } from '@casewatch/contracts';
import { ApiError, rowContext } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Stores a mail, encrypted. A repeated `message_id` is the same mail. */
export function answerSend(ctx: Context) {
  return async (request: RequestData<'notifier.send'>): Promise<ReplyInput<'notifier.send'>> => {
    refuseForeignLink(ctx, request);
    const userId = 'user_id' in request ? request.user_id : null;
    if (await eraseDeleted(ctx, userId)) return { accepted: true };
    const now = ctx.clock.now();
    const isNew = await ctx.stores.mails.insert({
      _id: request.message_id,
      kind: request.kind,
      user_id: userId,
      language: request.language,
      sealed: ctx.box.seal(JSON.stringify(request), request.message_id),
      status: 'pending',
      attempts: 0,
      last_error: null,
      fence: 0,
      expires_at: new Date(request.expires_at),
      created_at: now,
      sent_at: null,
      ...rowContext(),
    });
    const isDeleted = await eraseDeleted(ctx, userId);
    if (isNew && !isDeleted) ctx.signals.emit('mails');
    return { accepted: true };
  };
}

/** Whether the user is deleted. The deletion writes its tombstone before it erases, so it misses mails of this moment: they go here. */
async function eraseDeleted(ctx: Context, userId: number | null): Promise<boolean> {
  if (userId === null || !(await ctx.stores.tombstones.has(userId))) return false;
  await ctx.stores.mails.deleteOfUser(userId);
  return true;
}

/** No service can make our mails link to another site. */
function refuseForeignLink({ config, log }: Context, request: RequestData<'notifier.send'>): void {
  if (!('link' in request) || request.link.startsWith(`${config.PUBLIC_URL}/`)) return;
  const { message_id, kind } = request;
  log.warn({ mail: message_id, kind }, 'mail refused: its link does not begin with PUBLIC_URL');
  throw new ApiError('validation_failed', {
    message: 'The link must begin with PUBLIC_URL of the notifier.',
  });
}
