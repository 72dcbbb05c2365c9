/** ISO 8601 with milliseconds and Z (specification §2); null stays null. */
export function toIso(time: Date): string;
export function toIso(time: Date | null): string | null;
export function toIso(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** `YYYY-MM-DD HH:MM:SS`, UTC: GET responses under /v1/client (interface.md §1); null stays null. */
export function toPartnerTime(time: Date): string;
export function toPartnerTime(time: Date | null): string | null;
export function toPartnerTime(time: Date | null): string | null {
  if (time === null) return null;
  const day = `${time.getUTCFullYear()}-${twoDigits(time.getUTCMonth() + 1)}-${twoDigits(time.getUTCDate())}`;
  return `${day} ${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())}:${twoDigits(time.getUTCSeconds())}`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
