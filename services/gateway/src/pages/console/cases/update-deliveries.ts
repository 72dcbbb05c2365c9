import type { CaseDelivery } from '@casewatch/contracts';
import type { ConsoleCall } from '../console-page.ts';
import { ifAvailable } from '../if-available.ts';

export type UpdateDelivery = CaseDelivery & { readonly endpoint: string };
/** By the id of the status update. */
export type UpdateDeliveries = ReadonlyMap<number, readonly UpdateDelivery[]>;

/** Which endpoints received each status of a case. Empty if the session does not see webhooks. */
export async function deliveriesByUpdate(
  { ask, session }: ConsoleCall,
  params: { readonly case_ref: string },
): Promise<UpdateDeliveries> {
  if (!session.principal.scopes.includes('webhooks')) return new Map();
  const answers = await ifAvailable(
    Promise.all([ask('list_case_deliveries', { params }), ask('list_webhooks', { query: { limit: '100' } })]),
  );
  if (answers === null) return new Map();
  const [{ deliveries }, { webhooks }] = answers;
  const names = new Map(webhooks.map(({ id, description, url }) => [id, description || url]));
  const named = deliveries.map((delivery) => ({
    ...delivery,
    endpoint: names.get(delivery.webhook_id) ?? 'Deleted endpoint',
  }));
  return Map.groupBy(named, ({ status_update_id }) => status_update_id);
}
