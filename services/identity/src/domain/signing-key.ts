export type SigningKey = {
  /** Grows by one with each key. The newest usable key signs. */
  readonly generation: number;
  readonly kid: string;
  readonly x: string;
  readonly y: string;
  /** The private part; null if no pepper of the ring opens it. The key then only verifies. */
  readonly d: string | null;
  readonly signs_from: Date;
  readonly published_until: Date | null;
};

/** Lead of a new key before it signs, s: more than gateways (20 s) and replicas (5 s) take to load it. */
export const defaultLeadSeconds = 60;
/** A gateway loads unknown keys at most every 5 s. */
export const minLeadSeconds = 10;

/** How long a key is published after its last token, ms: a token's 15 min, and 5 min for clock differences. */
const publishedAfterMs = 20 * 60 * 1000;

export function signingAt(keys: readonly SigningKey[], now: Date): SigningKey | undefined {
  const usable = keys.filter((key) => key.d !== null && key.signs_from <= now && isPublished(key, now));
  return usable.sort((a, b) => b.generation - a.generation)[0];
}

export function isPublished({ published_until }: SigningKey, now: Date): boolean {
  return published_until === null || published_until > now;
}

/** The end of publication of older keys when a new key signs from `signsFrom`. */
export function predecessorsPublishedUntil(signsFrom: Date): Date {
  return new Date(signsFrom.getTime() + publishedAfterMs);
}
