import type { Context } from '../context.ts';
import type { Answer } from '../domain/decide-answer.ts';
import { hashesOf } from '../domain/hashes.ts';
import type { Checked } from '../domain/outcome.ts';
import { parseCaseStatus } from '../domain/parse-case-status.ts';

/** An answer about the receipt, or null where the outcome says nothing about it; what cannot be understood is counted. */
export function parseAnswer(ctx: Pick<Context, 'scheduleMetrics'>, checked: Checked): Answer | null {
  const answer = answerOf(checked);
  const { outcome } = checked.outcome;
  if (!answer && (outcome === 'seen' || outcome === 'unreadable')) ctx.scheduleMetrics.unparseable();
  return answer;
}

function answerOf({ outcome, sent, checkedAt }: Checked): Answer | null {
  if (outcome.outcome === 'not_found')
    return { kind: 'not_found', sent, checkedAt, message: outcome.message };
  if (outcome.outcome === 'rejected') return { kind: 'rejected', sent, checkedAt };
  const seen = outcome.outcome === 'seen' ? parseCaseStatus(outcome.raw) : null;
  return seen ? { kind: 'seen', sent, checkedAt, seen, hashes: hashesOf(seen) } : null;
}
