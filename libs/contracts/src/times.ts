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
  return time === null ? null : time.toISOString().slice(0, 19).replace('T', ' ');
}
