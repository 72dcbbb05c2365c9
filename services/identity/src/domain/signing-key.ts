/** A key that signs access tokens, from some moment until the next one does. */
export type SigningKey = {
  /** Grows with each key; the newest that may sign does. */
  readonly generation: number;
  readonly kid: string;
  readonly x: string;
  readonly y: string;
  /** The private part; null where it cannot be opened here, and so only verifies. */
  readonly d: string | null;
  readonly signs_from: Date;
  /** Published until then; null: no successor yet. */
  readonly published_until: Date | null;
};

/**
 * How long a new key is published before it signs, s: longer than gateways take to look for new keys (20 s) and identity's
 * replicas to notice it (5 s).
 */
export const defaultLeadSeconds = 60;
/** Below this, a gateway could meet a new key before it is allowed to look for it again (every 5 s). */
export const minLeadSeconds = 10;

/**
 * How long a key is published after its last token was signed, ms: what a token lives, 15 min, and 5 min for replicas that
 * notice late and clocks that differ.
 */
const publishedAfterMs = 20 * 60 * 1000;

/** The key that signs now. */
export function signingAt(keys: readonly SigningKey[], now: Date): SigningKey | undefined {
  const able = keys.filter((key) => key.d !== null && key.signs_from <= now && isPublished(key, now));
  return able.sort((a, b) => b.generation - a.generation)[0];
}

export function isPublished({ published_until }: SigningKey, now: Date): boolean {
  return published_until === null || published_until > now;
}

/** When those are no longer needed that a key replaces which signs from `signsFrom` on. */
export function predecessorsPublishedUntil(signsFrom: Date): Date {
  return new Date(signsFrom.getTime() + publishedAfterMs);
}
