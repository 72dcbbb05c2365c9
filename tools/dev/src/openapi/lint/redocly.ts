import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { Finding } from './finding.ts';

/** What Redocly's `recommended-strict` finds: every rule of it is an error. */
export async function redocly(text: string): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location: [place] }) => ({
    rule: ruleId,
    message,
    path: keysOf(place?.pointer ?? '#/'),
  }));
}

/** A JSON Pointer as a URI fragment (RFC 6901 §6), as keys. */
function keysOf(pointer: string): string[] {
  return pointer
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
