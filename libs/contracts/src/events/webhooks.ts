import { z } from 'zod';
import { id, isoTime } from '../fields.ts';

/** The endpoint kept failing or answered 410. */
export const webhookDisabled = z.object({
  webhook_id: id,
  partner_id: id,
  reason: z.string(),
  disabled_at: isoTime,
});
