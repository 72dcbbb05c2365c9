import { quietEnd } from './local-time.ts';

/** `HH:MM` each; a period may include midnight. */
export type QuietHours = { readonly from: string; readonly to: string; readonly zone: string };

// HH:MM-HH:MM, each from 00:00 to 23:59
export const quietHoursPattern = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/;

export function parseQuietHours(text: string | undefined, zone: string): QuietHours | null {
  const [, from, to] = quietHoursPattern.exec(text ?? '') ?? [];
  return from === undefined || to === undefined ? null : { from, to, zone };
}

/** The end of the quiet hours that contain `now`; null outside of them. `zone`: of the partner, if it has one. */
export function quietUntil(hours: QuietHours | null, now: Date, zone?: string | null): Date | null {
  return hours && quietEnd(hours, now, zone ?? hours.zone);
}
