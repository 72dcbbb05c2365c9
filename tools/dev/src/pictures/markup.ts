import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    'doctype-style': ['error', { style: 'lowercase' }],
    // Boxes of one question share their name.
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit'] }],
  },
});

/** Rules of the HTML standard, and of good markup, that a document breaks (html-validate). */
export async function markupFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, line, message }) => `${ruleId}: line ${line}: ${message}`),
  );
}
