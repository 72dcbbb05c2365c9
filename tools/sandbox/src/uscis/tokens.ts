import { randomBytes } from 'node:crypto';

/** Seconds a token lives; answered as a string, like everything of that answer. */
export const TOKEN_SECONDS = 1799;

/** Access tokens given out; kept in memory only, so that a restart makes clients fetch a new one. */
export interface Tokens {
  issue: (at: Date) => string;
  accepts: (authorization: string | undefined, at: Date) => boolean;
}

export function createTokens(): Tokens {
  const endsAt = new Map<string, number>();
  const issue = (at: Date) => {
    for (const [token, end] of endsAt) if (end <= at.getTime()) endsAt.delete(token);
    const token = randomBytes(21).toString('base64url');
    endsAt.set(token, at.getTime() + TOKEN_SECONDS * 1000);
    return token;
  };
  const accepts = (authorization: string | undefined, at: Date) => {
    const [scheme, token = ''] = (authorization ?? '').split(' ');
    return scheme?.toLowerCase() === 'bearer' && (endsAt.get(token) ?? 0) > at.getTime();
  };
  return { issue, accepts };
}
