import { z } from 'zod';
import { id, partnerTime } from '../fields.ts';
import { channel } from './status-update.ts';

/** A user who gets no messages on a channel (notifier.md, Sending). */
export const suppression = z.strictObject({
  user: z.strictObject({ id, name: z.string().max(120) }),
  channel,
  reason: z.enum(['hard_bounce', 'complaint', 'opt_out', 'unsubscribed']),
  since: partnerTime,
});

export type RecipientSuppression = z.infer<typeof suppression>;
