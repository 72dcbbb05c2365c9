import type { ReplyInput } from '@casewatch/contracts';
import { databaseTime } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentStatus } from '../present/status.ts';
import { readQuotaUse } from '../sending/quota-use.ts';

/** A sender that has said nothing for this long does not send, ms: its lease and a heartbeat. */
const silentMs = 20_000;

/** The state of government, quota and schedule. Any replica can read it: the sender writes its part to the store. */
export async function readStatus(
  ctx: Pick<Context, 'config' | 'clock' | 'db' | 'stores' | 'outlook'>,
): Promise<ReplyInput<'monitor.status'>> {
  const [control, quota, now] = await Promise.all([
    ctx.stores.control.read(),
    readQuotaUse(ctx),
    databaseTime(ctx.db),
  ]);
  const { sender_seen_at } = control;
  const isSending = sender_seen_at !== null && now.getTime() - sender_seen_at.getTime() < silentMs;
  return presentStatus({
    control,
    isSending,
    quota,
    census: ctx.outlook.census(),
    capacity: ctx.outlook.capacity(),
    acceptsNewCases: ctx.outlook.acceptsNewCases(),
    dailyBudget: ctx.config.USCIS_DAILY_BUDGET,
    now,
  });
}
