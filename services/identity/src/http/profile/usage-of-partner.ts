import type { Context } from '../../context.ts';

export type Counts = { user_count: number; case_count: number };

/**
 * How much a partner has; its cases are counted by their owner.
 * @throws ApiError service_unavailable where that does not answer: no number is better than a wrong one
 */
export async function countOfPartner(ctx: Context, partnerId: number): Promise<Counts> {
  const [users, { cases }] = await Promise.all([
    ctx.stores.users.countOfPartner(partnerId),
    ctx.bus.request('cases.count', { partner_id: partnerId }),
  ]);
  return { user_count: users, case_count: cases };
}
