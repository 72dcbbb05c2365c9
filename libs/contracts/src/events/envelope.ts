import { z } from 'zod';

/** CloudEvents 1.0, structured JSON (architecture.md §3). `id` is also the `Nats-Msg-Id` of the first publication. */
export const envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.uuid(),
  source: z.string().regex(/^\/casewatch\/[a-z]+$/),
  type: z.string(),
  /** For example `case/123`. */
  subject: z.string(),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  data: z.unknown(),
});

export type Envelope = z.infer<typeof envelope>;
