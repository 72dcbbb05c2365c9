import { z } from 'zod';
import { isoTime } from '../fields.ts';

/** A link that opens the console once. `session_expires_in`: seconds. */
export const consoleLink = z.strictObject({
  url: z.string().max(2_048),
  actor: z.string().max(120),
  read_only: z.boolean(),
  expires_at: isoTime,
  session_expires_in: z.int(),
});
