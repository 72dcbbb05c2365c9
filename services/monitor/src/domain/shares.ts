/** Who asks for a live check: a partner, for itself or for a user of its own, or a user of the direct service. */
export type Caller = { readonly partner_id: number | null; readonly user_id: number | null };

/** What callers may use of the government's day (interface.md §1, Limits). */
export type ShareSettings = {
  /** Checks of the whole day. */
  daily: number;
  /** A partner's part of it, unless it has a number of its own. */
  partnerShare: number;
  /** Checks of one direct user. */
  directUser: number;
  /** The part of all direct users together. */
  directShare: number;
};

/** One count that a check is charged to, and how far it may go. */
export type Share = { readonly account: string; readonly limit: number };

/** The caller's name in counts and records; ids only. */
export function callerName({ partner_id, user_id }: Caller): string {
  const parts = [
    partner_id === null ? [] : [`partner/${partner_id}`],
    user_id === null ? [] : [`user/${user_id}`],
  ];
  return parts.flat().join('/') || 'nobody';
}

/** Live checks of a day of the government that a partner may ask for. `own`: its own number, in place of the common part. */
export function partnerShareOf(
  { daily, partnerShare }: Pick<ShareSettings, 'daily' | 'partnerShare'>,
  own: number | null,
): number {
  return own ?? Math.floor(daily * partnerShare);
}

/** The counts that a live check of this caller is charged to; each must have room. `own`: the partner's own number. */
export function sharesOf(caller: Caller, settings: ShareSettings, own: number | null): Share[] {
  const { daily, directUser, directShare } = settings;
  const { partner_id, user_id } = caller;
  if (partner_id !== null)
    return [{ account: `partner/${partner_id}`, limit: partnerShareOf(settings, own) }];
  const all = { account: 'direct', limit: Math.floor(daily * directShare) };
  return user_id === null ? [all] : [{ account: `user/${user_id}`, limit: directUser }, all];
}
