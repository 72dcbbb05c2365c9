import { HtmlValidate, StaticConfigLoader } from 'html-validate';

/** Resolving the configuration takes as long as checking a page. */
class ResolvedOnce extends StaticConfigLoader {
  #resolved: ReturnType<StaticConfigLoader['getConfigFor']> | undefined;

  override getConfigFor(...args: Parameters<StaticConfigLoader['getConfigFor']>) {
    this.#resolved ??= super.getConfigFor(...args);
    return this.#resolved;
  }
}

const validator = new HtmlValidate(
  new ResolvedOnce({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      'doctype-style': ['error', { style: 'lowercase' }],
      // Boxes of one question share their name.
      'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit'] }],
    },
  }),
);

/** Rules of the HTML standard, and of good markup, that a document breaks (html-validate). */
export async function markupFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, line, message }) => `${ruleId}: line ${line}: ${message}`),
  );
}
