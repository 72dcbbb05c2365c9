import { every, type Running } from '@casewatch/platform';
import { requestMail } from '../clients/owner-mail.ts';
import type { Context } from '../context.ts';
import type { NoticedRow } from '../store/webhook-health.ts';

const intervalMs = 30_000;
const minIntervalMs = 250;

/** Requests the mails about failing endpoints that are due. Several replicas may run it: a repeated mail is the same mail. */
export function mailOwners(ctx: Context): Running {
  return every(
    Math.max(minIntervalMs, intervalMs * ctx.config.WEBHOOKS_RETRY_SCALE),
    async (signal) => {
      for (const row of await ctx.stores.webhookHealth.notMailed()) {
        if (signal.aborted) return;
        await mailOwner(ctx, row);
      }
    },
    (error) => ctx.log.warn({ err: error }, 'mails about failing endpoints not loaded; trying again'),
  );
}

async function mailOwner(ctx: Context, row: NoticedRow): Promise<void> {
  const { _id: webhook, partner_id, notice } = row;
  const fields = { webhook, partner_id, stage: notice.stage };
  try {
    if (isStillTrue(row) && !(await requestMail(ctx, row)))
      ctx.log.warn(fields, 'mail about a failing endpoint skipped: the partner has no e-mail address');
    await ctx.stores.webhookHealth.markMailed(row);
  } catch (error) {
    ctx.log.warn({ ...fields, err: error }, 'mail about a failing endpoint not requested; trying again');
  }
}

/** The endpoint still fails, or is still disabled. */
function isStillTrue({ active, failing_since, disabled_at, notice }: NoticedRow): boolean {
  if (notice.stage === 'disabled') return disabled_at !== null;
  return active && failing_since?.getTime() === notice.since.getTime();
}
