import { z } from 'zod';

// MM-DD-YYYY HH:mm:ss without a zone, as the government writes it.
const moment = z
  .string()
  .regex(/^\d{2}-\d{2}-\d{4} \d{2}:\d{2}:\d{2}$/, 'must look like 11-21-2026 10:00:00')
  .nullish();

// YYYY-MM-DD, as in hist_case_status.
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must look like 2026-11-21');

/** Body of `PUT /sandbox/receipts/{receipt}`. A missing or null field is not served; an empty history is served as null. */
export const receiptBody = z.strictObject({
  form_type: z.string().nullish(),
  submitted_date: moment,
  modified_date: moment,
  text_en: z.string().nullish(),
  desc_en: z.string().nullish(),
  text_es: z.string().nullish(),
  desc_es: z.string().nullish(),
  history: z
    .array(z.strictObject({ date: day, text_en: z.string(), text_es: z.string().optional() }))
    .nullish(),
});

/** A `broken` case is served with unescaped quotes in an href. */
export const servedCase = receiptBody.extend({ broken: z.boolean().optional() });

export type ServedCase = z.output<typeof servedCase>;
