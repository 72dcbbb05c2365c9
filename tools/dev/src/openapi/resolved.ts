import type { OpenApiDocument } from '@casewatch/contracts';

/** What a reference within the document leads to; anything else is itself. */
export function resolved<T extends object>(
  document: OpenApiDocument,
  value: T,
): Exclude<T, { $ref: string }> {
  let at: unknown = value;
  while (typeof at === 'object' && at !== null && '$ref' in at && typeof at.$ref === 'string') {
    at = at.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], document);
  }
  if (at === undefined) throw new Error('a reference leads nowhere');
  return at as Exclude<T, { $ref: string }>;
}
