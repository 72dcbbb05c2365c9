/** The caller of a live check: a partner, a user of a partner, or a direct user. */
export type Caller = { readonly partner_id: number | null; readonly user_id: number | null };

/** Shares of the daily quota (interface.md §1, Limits). */
export type ShareSettings = {
  daily: number;
  /** Share of one partner, 0 to 1. */
  partnerShare: number;
  directUser: number;
  /** Share of all direct users, 0 to 1. */
  directShare: number;
};

export type Share = { readonly account: string; readonly limit: number };

export function callerName({ partner_id, user_id }: Caller): string {
  const ids = Object.entries({ partner: partner_id, user: user_id }).filter(([, id]) => id !== null);
  return ids.flat().join('/') || 'nobody';
}

/** Live checks per day of a partner. `limit`: set by the operator, else null. */
export function partnerShareOf(
  { daily, partnerShare }: Pick<ShareSettings, 'daily' | 'partnerShare'>,
  limit: number | null,
): number {
  return limit ?? Math.floor(daily * partnerShare);
}

export function sharesOf(caller: Caller, settings: ShareSettings, limit: number | null): Share[] {
  const { daily, directUser, directShare } = settings;
  const { partner_id, user_id } = caller;
  if (partner_id !== null)
    return [{ account: `partner/${partner_id}`, limit: partnerShareOf(settings, limit) }];
  const all = { account: 'direct', limit: Math.floor(daily * directShare) };
  return user_id === null ? [all] : [{ account: `user/${user_id}`, limit: directUser }, all];
}
