import type { OpenApiDocument } from '@casewatch/contracts';
import { type Exception, exceptions as ours } from './exceptions.ts';
import type { Finding } from './finding.ts';
import { redocly } from './redocly.ts';
import { spectral } from './spectral.ts';

/** What both linters find but for the exceptions, and the exceptions that nothing needs; each as one line. */
export async function lint(
  document: OpenApiDocument,
  exceptions: readonly Exception[] = ours,
): Promise<string[]> {
  const text = JSON.stringify(document);
  const found = [...(await redocly(text)), ...(await spectral(text))];
  const excused = new Set<Exception>();
  const left = found.filter((finding) => {
    const fitting = exceptions.filter((exception) => fits(exception, finding, document));
    for (const exception of fitting) excused.add(exception);
    return fitting.length === 0;
  });
  return [
    ...left.map(({ rule, message, path }) => `${rule}: ${message} At ${path.join(' › ')}`),
    ...exceptions
      .filter((exception) => !excused.has(exception))
      .map(({ rule, why }) => `${rule}: nothing needs this exception any more (${why})`),
  ];
}

function fits({ rule, at }: Exception, finding: Finding, document: OpenApiDocument): boolean {
  return rule === finding.rule && (at?.(finding.path, document) ?? true);
}
