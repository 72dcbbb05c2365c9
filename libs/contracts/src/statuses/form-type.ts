const beforeForm = /^FORM(?:S|ULARIO)?[:\s]+/;
// Letters, perhaps a dash and spaces, digits, perhaps a letter. U+2212 is the minus sign.
const form = /^([A-Z]+)\s*[\p{Pd}\u2212]?\s*(\d+[A-Z]*)/u;

/** "N400", "n-400", "Form N-400" and "N – 400" become "N-400"; other texts stay, in upper case. */
export function normaliseFormType(text: string): string {
  return text.trim().toUpperCase().replace(beforeForm, '').replace(form, '$1-$2');
}

/** The form that a text begins with, without a supplement or a title: "I-539, Application…" is "I-539". */
export function baseForm(text: string): string {
  return form.exec(normaliseFormType(text))?.slice(1, 3).join('-') ?? '';
}
