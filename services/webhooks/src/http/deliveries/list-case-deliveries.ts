import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentCaseDelivery } from '../../present/case-delivery.ts';
import { type Hold, holdOf } from '../../present/hold.ts';

/** Status updates of the user that are read at most, newest first. */
const maxUpdates = 500;
const maxDeliveries = 100;

/** GET /v1/client/cases/{case_ref}/deliveries */
export function listCaseDeliveries(ctx: Context): Handler<'list_case_deliveries'> {
  return async ({ caller, params }) => {
    const found = await ownCase(ctx, caller.partner_id, params.case_ref);
    const updates = await ctx.stores.eventLists.statusUpdatesOf(found.user_id, maxUpdates);
    const updateIds = new Map(
      updates.flatMap(({ _id, caseId, updateId }) => (caseId === found.case.id ? [[_id, updateId]] : [])),
    );
    const rows = await ctx.stores.deliveries.ofEvents(found.user_id, [...updateIds.keys()], maxDeliveries);
    const holds = await holdsOf(ctx, caller.partner_id);
    const deliveries = rows.flatMap((row) => {
      const updateId = updateIds.get(row.event_id);
      const hold = holds.get(row.webhook_id) ?? null;
      return updateId === undefined ? [] : [presentCaseDelivery(row, updateId, hold)];
    });
    return { body: { deliveries } };
  };
}

async function holdsOf({ stores }: Context, partnerId: number): Promise<Map<number, Hold>> {
  const [webhooks, [partner]] = await Promise.all([
    stores.webhooks.ofPartners([partnerId]),
    stores.partners.states([partnerId]),
  ]);
  return new Map(webhooks.map((webhook) => [webhook._id, holdOf(webhook, partner)]));
}

/** @throws ApiError case_not_found, also for a case of another partner */
async function ownCase(ctx: Context, partnerId: number, ref: string) {
  const id = Number(ref.replace('FLOW', ''));
  const found = id < 1 ? null : await ctx.owners.fetchCase(id);
  // An id has two spellings only.
  const isNamed = found !== null && [String(found.case.id), found.case.user_case_id].includes(ref);
  if (!isNamed || found.partner_id !== partnerId) throw new ApiError('case_not_found');
  return found;
}
