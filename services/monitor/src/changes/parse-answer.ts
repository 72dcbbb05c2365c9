import type { Context } from '../context.ts';
import { hashesOf } from '../domain/case-content.ts';
import type { Answer } from '../domain/decide-answer.ts';
import type { CheckResult } from '../domain/outcome.ts';
import { parseCaseStatus } from '../domain/parse-case-status.ts';

/** The answer about the receipt; null if the outcome says nothing about it. Counts unreadable answers. */
export function parseAnswer(ctx: Pick<Context, 'metrics'>, checked: CheckResult): Answer | null {
  const { outcome, sent, checkedAt } = checked;
  if (outcome.outcome === 'not_found')
    return { kind: 'not_found', sent, checkedAt, message: outcome.message };
  if (outcome.outcome === 'rejected') return { kind: 'rejected', sent, checkedAt };
  const seen = outcome.outcome === 'seen' ? parseCaseStatus(outcome.raw) : null;
  if (seen) return { kind: 'seen', sent, checkedAt, seen, hashes: hashesOf(seen) };
  if (outcome.outcome === 'seen' || outcome.outcome === 'unreadable') ctx.metrics.unparseable();
  return null;
}
