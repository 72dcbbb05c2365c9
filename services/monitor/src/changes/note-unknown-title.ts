import { matchStatus } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import type { Answer } from '../domain/decide-answer.ts';
import type { Receipt } from '../domain/receipt.ts';

/**
 * Counts a title that our table does not know, when a receipt comes to show it: word for word, so that it can be added
 * (upstream.md, Status titles). A count that is lost to a crash or a busy store does no harm.
 */
export async function noteUnknownTitle(ctx: Context, receipt: Receipt, answer: Answer): Promise<void> {
  if (answer.kind !== 'seen' || receipt.since?.getTime() !== answer.checkedAt.getTime()) return;
  const title = answer.seen.facts.status_code;
  const { known, category } = matchStatus(title);
  if (known) return;
  ctx.scheduleMetrics.unknownTitle(category);
  try {
    await ctx.stores.unknownTitles.note({ title, category, at: answer.checkedAt });
  } catch (error) {
    ctx.log.warn({ err: error }, 'unknown title not counted');
  }
}
