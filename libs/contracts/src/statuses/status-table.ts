import { readFileSync } from 'node:fs';
import { z } from 'zod';

const texts = z.object({ en: z.string(), es: z.string(), pt: z.string() });

/** monitor.md, Schedule */
export const pollClass = z.enum(['hot', 'normal', 'settling', 'slow', 'stop']);

/** upstream.md, Status titles */
const knownStatus = z.object({
  code: z.string(),
  en: z.string(),
  es: z.string(),
  pt: z.string(),
  terminal: z.boolean(),
  category: z.string(),
  poll_class: pollClass,
  action_required: z.boolean(),
  aliases: z.array(z.string()).optional(),
  /** Why an immigration lawyer has to read the sentences of this row; absent where nobody has to. */
  needs_legal_review: z.string().regex(/\S/).optional(),
  meaning: texts,
  action: texts
    .extend({
      /** Days after the notice; per form if different. */
      answer_within_days_max: z.int().positive().optional(),
      answer_within_days_max_by_form: z.record(z.string(), z.int().positive()).optional(),
    })
    .optional(),
});

export type KnownStatus = z.infer<typeof knownStatus>;
export type PollClass = z.infer<typeof pollClass>;

let table: KnownStatus[] | undefined;

/** Read once. */
export function knownStatuses(): readonly KnownStatus[] {
  table ??= z
    .array(knownStatus)
    .parse(JSON.parse(readFileSync(new URL('./statuses.json', import.meta.url), 'utf8')));
  return table;
}
