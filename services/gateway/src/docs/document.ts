import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  Reference,
  ResponseObject,
} from '@casewatch/contracts';

export type Listed = { readonly method: string; readonly path: string; readonly operation: OperationObject };

export function operationsOf(document: OpenApiDocument): Listed[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The target of a reference; any other value is returned as it is. */
export function resolved<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const target = value.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
  if (target === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return target as T;
}

/** The error codes of a response; none for a success. */
export function codesOf(document: OpenApiDocument, response: ResponseObject | Reference): string[] {
  const { content } = resolved(document, response);
  return Object.keys(content?.['application/json']?.examples ?? {});
}

/** The schemas that are part of several bodies. A body itself stands with its operation. */
export function sharedSchemas(document: OpenApiDocument): [name: string, schema: JsonSchema][] {
  const contents = operationsOf(document).flatMap(({ operation: { requestBody, responses } }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      part && 'content' in part ? Object.values(part.content ?? {}) : [],
    ),
  );
  const bodies = new Set(contents.map(({ schema }) => schema.$ref));
  return Object.entries(document.components.schemas).filter(
    ([name]) => !bodies.has(`#/components/schemas/${name}`),
  );
}
