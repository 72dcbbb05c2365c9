import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** What an operator needs beside `monitor.status`: breaker, quota by lane, the sentences of USCIS, detection delay. */
export function answerState(ctx: Context): RequestHandler<'monitor.state'> {
  const { control: controls, receipts, unknownTitles } = ctx.stores;
  return async () => {
    const [common, control, quota, held, titles] = await Promise.all([
      ctx.serviceState(),
      controls.read(),
      ctx.readQuotaUse(),
      receipts.countHeld(),
      unknownTitles.count(),
    ]);
    const { health, refusals, answered_at, detection } = control;
    return {
      ...common,
      breaker: health?.breaker ?? 'closed',
      next_probe_at: health?.probe_at?.toISOString() ?? null,
      pace: health?.pace ?? 1,
      quota_spent: health?.quota_spent ?? false,
      lanes: Object.entries(quota).map(([lane, { used, left }]) => ({ lane, used, left })),
      refusals: Object.entries(refusals).map(([result, { message, at }]) => {
        return { result, message, at: at.toISOString() };
      }),
      answered_at: answered_at?.toISOString() ?? null,
      held_receipts: held,
      unknown_titles: titles,
      detection_delay: detection && {
        p50_seconds: detection.p50,
        p95_seconds: detection.p95,
        changes: detection.changes,
      },
    };
  };
}
