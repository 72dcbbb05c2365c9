import type { Scope } from '@casewatch/contracts';

/** A partner's key pair. `_id` names it in logs and commands; `api_key` is what the partner sends. */
export type ApiKey = {
  readonly _id: number;
  readonly partner_id: number;
  readonly name: string;
  readonly api_key: string;
  /** HMAC-SHA-256(pepper, hex SHA-256 of the secret), hex. */
  readonly secret_hmac: string;
  /** The pepper that made it; absent in rows from before that was noted. */
  readonly pepper_id?: string;
  readonly scopes: Scope[];
  /** Addresses or CIDR ranges; empty: from anywhere. */
  readonly allowed_ips: string[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  /** The pair that a rotation put in its place. */
  readonly replaced_by: number | null;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
};

/** Live pairs that a partner has at most: one in use, and one to change to (interface.md §4, Partner keys). */
export const maxLiveKeys = 2;

export function isLiveKey(key: ApiKey, now: Date): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > now);
}

/** Whether a partner could still get in without this pair: one in its overlap is on its way out. */
export function isDispensable(key: ApiKey, all: readonly ApiKey[], now: Date): boolean {
  if (!isLiveKey(key, now)) return true;
  return all.some((other) => other._id !== key._id && other.replaced_by === null && isLiveKey(other, now));
}

/** When a replaced pair ends: after the overlap, or when it would have ended anyway. */
export function overlapEnd(key: ApiKey, now: Date, overlapSeconds: number): Date {
  const end = new Date(now.getTime() + overlapSeconds * 1_000);
  return key.expires_at !== null && key.expires_at < end ? key.expires_at : end;
}
