import { asksForAnswer, type ImportEnd, maxVerifications, toIso } from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ImportRow } from '../store/imports.ts';
import { assertMayMakePeople, ownImport } from './own-import.ts';

/**
 * What a firm does next (firm.md §6): cases that ask for an answer, and people who have not proven their address, as they are now.
 * Null: it is not over, it was a dry run, its rows are deleted, or identity is away.
 */
export async function endOf(ctx: Context, row: ImportRow): Promise<ImportEnd | null> {
  if (row.counts === null || row.dry_run) return null;
  const { userIds, caseIds, isExpired } = await ctx.stores.imports.imported(row._id);
  if (isExpired) return null;
  const people = await unverified(ctx, row, userIds).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'service_unavailable') return null;
    throw error;
  });
  if (people === null) return null;
  const waiting = await ctx.stores.cases.unanswered(caseIds);
  return {
    cases_asking: waiting.filter(asksForAnswer).length,
    people_unverified: people.unverified,
    people_without_mail: people.unsent.length,
  };
}

/**
 * POST /v1/client/imports/{import_id}/send-verifications. Some people are one command to identity, which sends nobody a second mail:
 * after a failure in between, the call is repeated and goes on.
 */
export function sendImportVerifications(ctx: Context): Handler<'send_import_verifications'> {
  return async ({ caller, params }) => {
    assertMayMakePeople(caller);
    const row = await ownImport(ctx, caller, params.import_id);
    const { userIds } = await ctx.stores.imports.imported(row._id);
    const { unsent } = row.dry_run ? { unsent: [] } : await unverified(ctx, row, userIds);
    const answer = { sent: 0, left: 0, next_at: null as string | null };
    for (let at = 0; at < unsent.length; at += maxVerifications) {
      const user_ids = unsent.slice(at, at + maxVerifications);
      const some = await ctx.bus.request('identity.send_verifications', { ...of(row), user_ids });
      answer.sent += some.sent;
      answer.left += some.left;
      answer.next_at = some.next_at;
      if (some.next_at === null) continue;
      answer.left += unsent.length - at - user_ids.length;
      break;
    }
    return { body: { success: true, message: sentence(answer), ...answer } };
  };
}

async function unverified(ctx: Context, row: ImportRow, user_ids: number[]) {
  if (user_ids.length === 0) return { unverified: 0, unsent: [] };
  return await ctx.bus.request('identity.unverified', { ...of(row), user_ids });
}

/** A mail since the import began is the one that its people are due. */
function of({ partner_id, created_at }: ImportRow) {
  return { partner_id, since: toIso(created_at) };
}

function sentence({ sent, left }: { sent: number; left: number }): string {
  const mails = sent === 1 ? '1 e-mail is on its way' : `${sent} e-mails are on their way`;
  if (left === 0) return `${mails}. Nobody is left without one.`;
  const people = left === 1 ? '1 person is left' : `${left} people are left`;
  return `${mails}. ${people}: call again later.`;
}
