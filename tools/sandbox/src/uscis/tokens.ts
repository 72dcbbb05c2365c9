import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { delayMs, httpStatus } from '../http/faults.ts';

/** Body of `PUT /sandbox/tokens`: the behaviour of the token endpoint. A field that is left out gets its default. */
export const tokenBody = z.strictObject({
  /** Lifetime of new tokens, s. */
  expires_in: z.number().int().min(1).max(86_400).default(1799),
  /** Ends all issued tokens. */
  revoke: z.boolean().default(false),
  /** Gives the last token again, even if it was revoked, as a cache before the token endpoint does. */
  repeat: z.boolean().default(false),
  mode: z.enum(['none', 'status', 'html', 'garbage', 'hang']).default('none'),
  /** HTTP status of mode status. */
  status: httpStatus.default(500),
  /** Header Retry-After of mode status, s. */
  retry_after_s: z.number().int().min(0).max(86_400).optional(),
  delay_ms: delayMs.default(0),
});

export type TokenSettings = Omit<z.output<typeof tokenBody>, 'revoke'>;

/** A request to the token endpoint, written at arrival; `status` is 0 until it is answered. */
export interface TokenRow {
  time: string;
  status: number;
}

export type Tokens = ReturnType<typeof createTokens>;

/** Issued access tokens. They are in memory only: after a restart clients need new ones. */
export function createTokens() {
  const issued = new Map<string, { endsAt: number; number: number }>();
  let count = 0;
  const find = (authorization: string | undefined) => {
    const [scheme, token = ''] = (authorization ?? '').split(' ');
    return scheme?.toLowerCase() === 'bearer' ? issued.get(token) : undefined;
  };
  let last: string | undefined;
  const issue = (at: Date, seconds: number, token = randomBytes(21).toString('base64url')): string => {
    for (const [former, { endsAt }] of issued) if (endsAt <= at.getTime()) issued.delete(former);
    count += 1;
    last = token;
    issued.set(token, { endsAt: at.getTime() + seconds * 1000, number: count });
    return token;
  };
  return {
    issue,
    /** The last issued token, if there is one. */
    last: (): string | undefined => last,
    accepts: (authorization: string | undefined, at: Date): boolean =>
      (find(authorization)?.endsAt ?? 0) > at.getTime(),
    /** Number of the token, from 1, or null: clients with the same keys differ by it. */
    numberOf: (authorization: string | undefined): number | null => find(authorization)?.number ?? null,
    revokeAll: (): void => issued.clear(),
  };
}
