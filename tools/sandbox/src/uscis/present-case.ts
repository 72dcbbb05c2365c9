import type { ServedCase } from './served-case.ts';

/** The body of a 200. Fields that were left out are absent; `hist_case_status` is null without a history. */
export function presentCase(receipt: string, served: ServedCase): string {
  const caseStatus = {
    receiptNumber: receipt,
    formType: served.form_type ?? undefined,
    submittedDate: served.submitted_date ?? undefined,
    modifiedDate: served.modified_date ?? undefined,
    current_case_status_text_en: served.text_en ?? undefined,
    current_case_status_desc_en: served.desc_en ?? undefined,
    current_case_status_text_es: served.text_es ?? undefined,
    current_case_status_desc_es: served.desc_es ?? undefined,
    hist_case_status: presentHistory(served.history),
  };
  const message = `Query was successful for payload {'receipt_number': '${receipt}'}`;
  const body = JSON.stringify({ case_status: caseStatus, message });
  return served.broken === true ? brokenLinks(body) : body;
}

/** A defect of the real sandbox: the quotes of <a href="…"> are not escaped. */
export function brokenLinks(body: string): string {
  return body.replaceAll('\\"', '"');
}

function presentHistory(history: ServedCase['history']) {
  if (history === undefined) return undefined;
  if (history === null || history.length === 0) return null;
  return history.map(({ date, text_en, text_es }) => ({
    date,
    completed_text_en: text_en,
    completed_text_es: text_es,
  }));
}
