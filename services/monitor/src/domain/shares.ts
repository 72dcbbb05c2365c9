/** The caller of a live check: a partner, a user of a partner, or a direct user. */
export type Caller = { readonly partner_id: number | null; readonly user_id: number | null };

/** Shares of the daily quota (interface.md §1, Limits). */
type Settings = Record<
  'USCIS_DAILY_BUDGET' | 'MONITOR_PARTNER_SHARE' | 'MONITOR_DIRECT_USER_CHECKS' | 'MONITOR_DIRECT_SHARE',
  number
>;

export type Share = { readonly account: string; readonly limit: number };

export function callerName({ partner_id, user_id }: Caller): string {
  const ids = Object.entries({ partner: partner_id, user: user_id }).filter(([, id]) => id !== null);
  return ids.flat().join('/') || 'nobody';
}

/** Live checks per day of a partner. `limit`: set by the operator, else null. */
export function partnerShareOf(settings: Settings, limit: number | null): number {
  return limit ?? Math.floor(settings.USCIS_DAILY_BUDGET * settings.MONITOR_PARTNER_SHARE);
}

export function sharesOf(caller: Caller, settings: Settings, limit: number | null): Share[] {
  const { partner_id, user_id } = caller;
  if (partner_id !== null)
    return [{ account: `partner/${partner_id}`, limit: partnerShareOf(settings, limit) }];
  const direct = Math.floor(settings.USCIS_DAILY_BUDGET * settings.MONITOR_DIRECT_SHARE);
  const all = { account: 'direct', limit: direct };
  const own = { account: `user/${user_id}`, limit: settings.MONITOR_DIRECT_USER_CHECKS };
  return user_id === null ? [all] : [own, all];
}
