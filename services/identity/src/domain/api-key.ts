import type { Scope } from '@casewatch/contracts';

/** A partner's key pair. `_id` names it in logs and commands; `api_key` is its public half. */
export type ApiKey = {
  readonly _id: number;
  readonly partner_id: number;
  readonly name: string;
  readonly api_key: string;
  /** HMAC-SHA-256(pepper, hex SHA-256 of the secret), hex. */
  readonly secret_hmac: string;
  /** The pepper of `secret_hmac`. */
  readonly pepper_id: string;
  readonly scopes: Scope[];
  /** IP addresses or CIDR ranges; empty: from anywhere. */
  readonly allowed_ips: string[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly replaced_by: number | null;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
};

/** Live keys of one partner: one in use, and one to change to (interface.md §4, Partner keys). */
export const maxLiveKeys = 2;

export function isLiveKey(key: ApiKey, now: Date): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > now);
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Whether the partner keeps access without this key. A key in its overlap does not count. Where the key may create keys, another one
 * must be able to, for a day or as long as this key: else only the operator could help.
 * @param isUsable whether a key works from a network where the partner is
 */
export function isDispensable(
  key: ApiKey,
  { all, now, isUsable }: { all: readonly ApiKey[]; now: Date; isUsable: (other: ApiKey) => boolean },
): boolean {
  if (!isLiveKey(key, now)) return true;
  const others = all.filter(
    (other) => other._id !== key._id && other.replaced_by === null && isLiveKey(other, now),
  );
  if (!key.scopes.includes('keys')) return others.length > 0;
  const neededUntil = Math.min(now.getTime() + dayMs, key.expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
  return others.some(
    (other) =>
      other.scopes.includes('keys') &&
      (other.expires_at === null || other.expires_at.getTime() >= neededUntil) &&
      isUsable(other),
  );
}

/** The end of a replaced key: after the overlap, or its own end if that is earlier. */
export function overlapEnd(key: ApiKey, now: Date, overlapSeconds: number): Date {
  const end = new Date(now.getTime() + overlapSeconds * 1_000);
  return key.expires_at !== null && key.expires_at < end ? key.expires_at : end;
}
