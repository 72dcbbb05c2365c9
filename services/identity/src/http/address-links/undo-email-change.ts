import type { Body, Query } from '@casewatch/contracts';
import { ApiError, answerPage, faultsError, type Handler, type PageReader } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { logSessionsEnded } from '../../changes/end-sessions.ts';
import { restoreAddress } from '../../changes/restore-address.ts';
import type { Context } from '../../context.ts';
import { isTokenOf, rowIdOfToken, undoTokenOf } from '../../credentials/link-tokens.ts';
import { fault } from '../../domain/check-user-body.ts';
import { type EmailChange, type EmailChangeLink, judgeEmailChange } from '../../domain/email-change.ts';
import { maskEmail, type User } from '../../domain/user.ts';
import {
  orRefusalPage,
  pathOf,
  readerOf,
  stopChangePage,
  stoppedPage,
  undonePage,
  undoPage,
  undoRefusals,
} from '../pages/address-pages.ts';
import { mapAddressTaken } from '../users/load-user.ts';

/** GET /v1/users/undo-email-change. It only shows a button: mail scanners open links. */
export function undoEmailChangePage(ctx: Context): Handler<'undo_email_change_page'> {
  return async (call) => {
    const { token } = call.query;
    if (call.wantsPage) {
      return await orRefusalPage(call, undoRefusals, async () => {
        const change = await findChangeByToken(ctx, token);
        return answerPage(pageOf(await readerOf(ctx, change.user), change, { token, path: pathOf(call) }));
      });
    }
    const { isUndone, requested } = await findChangeByToken(ctx, token);
    const instruction = requested
      ? 'POST to this address to stop the change and end all sessions.'
      : 'POST to this address to restore the old e-mail address and end all sessions.';
    return { body: { undone: isUndone, message: isUndone ? 'The change was already undone.' : instruction } };
  };
}

type At = { readonly token: string; readonly path: string };

function pageOf(reader: PageReader, { requested, isUndone }: UndoableChange, { token, path }: At): string {
  if (!requested) return isUndone ? undonePage(reader, path) : undoPage(reader, token);
  if (isUndone) return stoppedPage(reader, path);
  return stopChangePage(reader, token, maskEmail(requested.new_email));
}

/** POST /v1/users/undo-email-change: the button of the page, or a program. */
export function undoEmailChange(ctx: Context): Handler<'undo_email_change'> {
  return async (call) => {
    const token = tokenOf(call);
    if (call.wantsPage) {
      return await orRefusalPage(call, undoRefusals, async () => {
        const { user, requested } = await undoChangeByToken(ctx, token);
        const reader = await readerOf(ctx, user);
        return answerPage((requested ? stoppedPage : undonePage)(reader, pathOf(call)));
      });
    }
    const { isUndone, requested } = await undoChangeByToken(ctx, token);
    return {
      body: {
        success: true,
        message: requested
          ? 'The change is stopped, and all sessions have ended.'
          : 'Your old e-mail address is restored, and all sessions have ended.',
        undone: true,
        already_undone: isUndone,
      },
    };
  };
}

type Input = { query: Query<'undo_email_change'>; body: Body<'undo_email_change'> };

/** @throws ApiError validation_failed */
function tokenOf({ query, body }: Input): string {
  const token = body.token ?? query.token;
  if (token === undefined) throw faultsError([fault('token', 'required', 'is required')]);
  return token;
}

/** The change of a link. `requested`: the change has not taken effect. */
type UndoableChange = {
  change: EmailChange;
  requested: EmailChangeLink | null;
  user: User;
  isUndone: boolean;
};

/** @throws ApiError invalid_verification_token: forged, older than 7 days, void, or of an erased user */
async function findChangeByToken(
  ctx: Context,
  token: string,
  tx: Session | null = null,
): Promise<UndoableChange> {
  const invalid = new ApiError('invalid_verification_token', {
    message: 'This link no longer works.',
  });
  const id = rowIdOfToken(token);
  if (id === null) throw invalid;
  const requested = await ctx.stores.emailChangeLinks.find(id, tx);
  const change = requested ?? (await ctx.stores.emailChanges.find(id, tx));
  if (!change || !isTokenOf(undoTokenOf, change, { token, macs: ctx.macs })) throw invalid;
  const user = await ctx.stores.users.find(change.user_id, tx);
  const state = user ? judgeEmailChange(change, user, ctx.clock.now()) : 'void';
  if (!user || state === 'void') throw invalid;
  return { change, requested, user, isUndone: state === 'undone' };
}

/** Uses a link; a second use changes nothing. @throws ApiError invalid_verification_token, email_already_exists */
async function undoChangeByToken(ctx: Context, token: string): Promise<UndoableChange> {
  const undone = await mapAddressTaken(
    transaction(ctx.db, async (tx) => {
      const link = await findChangeByToken(ctx, token, tx);
      return link.isUndone ? link : { ...link, user: await restoreAddress(ctx, tx, link) };
    }),
  );
  if (!undone.isUndone) logSessionsEnded(ctx, undone.user._id, { reason: 'change_undone' });
  return undone;
}
