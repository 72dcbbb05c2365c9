import { randomBytes } from 'node:crypto';

/** Seconds a token lives unless it is told otherwise; answered as a string, like everything of that answer. */
export const TOKEN_SECONDS = 1799;

/** Access tokens given out; kept in memory only, so that a restart makes clients fetch a new one. */
export interface Tokens {
  issue: (at: Date, seconds: number) => string;
  accepts: (authorization: string | undefined, at: Date) => boolean;
  /** Which one it is, counted from 1: tells clients apart that share their keys; null for none of ours. */
  numberOf: (authorization: string | undefined) => number | null;
  /** None that was given out is good any more. */
  revokeAll: () => void;
}

export function createTokens(): Tokens {
  const given = new Map<string, { endsAt: number; number: number }>();
  let count = 0;
  const find = (authorization: string | undefined) => {
    const [scheme, token = ''] = (authorization ?? '').split(' ');
    return scheme?.toLowerCase() === 'bearer' ? given.get(token) : undefined;
  };
  const issue = (at: Date, seconds: number) => {
    for (const [token, { endsAt }] of given) if (endsAt <= at.getTime()) given.delete(token);
    const token = randomBytes(21).toString('base64url');
    count += 1;
    given.set(token, { endsAt: at.getTime() + seconds * 1000, number: count });
    return token;
  };
  return {
    issue,
    accepts: (authorization, at) => (find(authorization)?.endsAt ?? 0) > at.getTime(),
    numberOf: (authorization) => find(authorization)?.number ?? null,
    revokeAll: () => given.clear(),
  };
}
