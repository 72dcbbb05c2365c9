import { z } from 'zod';

const text = z.string().nullish();

/** `case_status` of a 200 (upstream.md, 200). Texts may contain markup. */
export const caseStatusBody = z.object({
  receiptNumber: z.string(),
  formType: text,
  submittedDate: text,
  modifiedDate: text,
  current_case_status_text_en: z.string().regex(/\S/),
  current_case_status_text_es: text,
  current_case_status_desc_en: text,
  current_case_status_desc_es: text,
  hist_case_status: z
    .array(z.object({ date: text, completed_text_en: text, completed_text_es: text }))
    .nullish(),
});

export type CaseStatusBody = z.infer<typeof caseStatusBody>;
