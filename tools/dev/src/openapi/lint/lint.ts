import type { AsyncApiDocument, OpenApiDocument } from '@casewatch/contracts';
import core, { type RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';
import { exceptions as allExceptions, type Exception } from './exceptions.ts';

/**
 * Findings of Spectral's OpenAPI rules and of its OWASP rules (API security top ten of 2023), one line each;
 * also exceptions that no finding needs.
 */
export async function lint(
  document: OpenApiDocument,
  exceptions: readonly Exception[] = allExceptions,
): Promise<string[]> {
  const linter = new core.Spectral();
  // Spectral types the rulesets more narrowly than setRuleset takes them.
  linter.setRuleset({
    extends: [
      [rulesets.oas as unknown as RulesetDefinition, 'all'],
      [owasp as unknown as RulesetDefinition, 'all'],
    ],
  });
  const source = new core.Document(JSON.stringify(document), parsers.Json, 'openapi.json');
  const needed = new Set<Exception>();
  const findings = (await linter.run(source)).filter(({ code, path }) => {
    const fitting = exceptions.filter(
      ({ rule, at }) => rule === code && (at?.(path.map(String), document) ?? true),
    );
    for (const exception of fitting) needed.add(exception);
    return fitting.length === 0;
  });
  return [
    ...findings.map(lineOf),
    ...exceptions
      .filter((exception) => !needed.has(exception))
      .map(({ rule, why }) => `${rule}: no finding needs this exception (${why})`),
  ];
}

/** Findings of Spectral's AsyncAPI rules, one line each. */
export async function lintEvents(document: AsyncApiDocument): Promise<string[]> {
  const linter = new core.Spectral();
  linter.setRuleset({ extends: [[rulesets.asyncapi as unknown as RulesetDefinition, 'all']] });
  const findings = await linter.run(
    new core.Document(JSON.stringify(document), parsers.Json, 'asyncapi.json'),
  );
  return findings.map(lineOf);
}

function lineOf({ code, message, path }: core.ISpectralDiagnostic): string {
  return `${code}: ${message} At ${path.join(' › ')}`;
}
