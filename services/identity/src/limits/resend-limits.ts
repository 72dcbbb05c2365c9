import type { LimitUse } from './take-limits.ts';

/** Shortest time between two verification mails that were asked for, ms. */
export const resendMinuteMs = 60_000;

const perMinute = { max: 1, windowMs: resendMinuteMs };
const perDay = { max: 5, windowMs: 24 * 60 * resendMinuteMs };

/**
 * The limits of asking again, per e-mail (interface.md §1). `whose`: a tenant, or nobody known; each has its own, so that
 * none learns from, or uses up, another's.
 */
export function resendLimits(whose: number | 'direct' | 'anonymous', emailLower: string): LimitUse[] {
  const about = `${whose}\0${emailLower}`;
  return [
    { name: 'resend-minute', subject: about, limit: perMinute },
    { name: 'resend-day', subject: about, limit: perDay },
  ];
}
