import core, { type RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';
import type { Finding } from './finding.ts';

/** What Spectral finds by every rule of its OpenAPI ruleset and of the OWASP one (API security top ten of 2023). */
export async function spectral(text: string): Promise<Finding[]> {
  const linter = new core.Spectral();
  // Their own types are narrower than what setRuleset takes, and their values are what it wants.
  linter.setRuleset({
    extends: [
      [rulesets.oas as unknown as RulesetDefinition, 'all'],
      [owasp as unknown as RulesetDefinition, 'all'],
    ],
  });
  const found = await linter.run(new core.Document(text, parsers.Json, 'openapi.json'));
  return found.map(({ code, message, path }) => ({ rule: String(code), message, path: path.map(String) }));
}
