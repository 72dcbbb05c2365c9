import { z } from 'zod';
import { id } from '../fields.ts';

/**
 * Days for which the id of an erased person is kept (quality.md, How long things are kept): in each service, in the stream and
 * in the outbox. A backup that is older must not be restored.
 */
export const erasedIdDays = 400;

/** Ids alone: with them a restored backup erases the person again, whatever its age. */
export const erasureRecorded = z.object({
  user_id: id,
  partner_id: id.nullable(),
  erased_at: z.iso.datetime(),
});
