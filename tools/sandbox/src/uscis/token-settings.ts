import { z } from 'zod';
import { delayMs, httpStatus } from '../http/fault-fields.ts';
import { TOKEN_SECONDS } from './tokens.ts';

/** Body of `PUT /sandbox/tokens`: how the token endpoint answers from now on; what is left out is as new. */
export const tokenBody = z.strictObject({
  /** Seconds that tokens given out from now on live. */
  expires_in: z.number().int().min(1).max(86_400).default(TOKEN_SECONDS),
  /** Ends all that were given out. */
  revoke: z.boolean().default(false),
  mode: z.enum(['none', 'status', 'html', 'garbage', 'hang']).default('none'),
  /** HTTP status of mode status. */
  status: httpStatus.default(500),
  delay_ms: delayMs.default(0),
});

export type TokenSettings = Omit<z.output<typeof tokenBody>, 'revoke'>;

export const TOKENS_AS_NEW: TokenSettings = {
  expires_in: TOKEN_SECONDS,
  mode: 'none',
  status: 500,
  delay_ms: 0,
};

/** One request to the token endpoint: written at arrival; `status` is 0 until (and unless) it is answered. */
export interface TokenRow {
  time: string;
  status: number;
}
