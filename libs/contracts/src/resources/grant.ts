import { z } from 'zod';
import { email, id } from '../fields.ts';

/** Six digits; people also type spaces and dashes between them. */
export const code = z
  .string()
  .max(32)
  .transform((text) => text.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must have six digits'))
  .meta({ pattern: '^[ -]*([0-9][ -]*){6}$', maxLength: 32 });

/** A login code's request, as the answer to its creation names it. */
export const requestId = z.string().min(16).max(64);

const refreshToken = z.string().min(1).max(512);

export const loginCodeGrant = z.strictObject({
  grant_type: z.literal('login_code').optional(),
  email,
  code,
  request_id: requestId.optional(),
  user_id: id.optional(),
});

export const refreshTokenGrant = z.strictObject({
  grant_type: z.literal('refresh_token'),
  refresh_token: refreshToken,
});

/** Both in one object, so that faults name fields. The operation checks which fields belong together. */
export const anyGrant = z.strictObject({
  ...loginCodeGrant.partial().shape,
  grant_type: z.enum(['login_code', 'refresh_token']).default('login_code'),
  refresh_token: refreshToken.optional(),
});
