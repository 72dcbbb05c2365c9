import type { OpenApiDocument, OperationObject, ParameterObject, ResponseObject } from '@casewatch/contracts';
import { compareSchemas } from './compare-schemas.ts';

type Operation = Omit<OperationObject, 'parameters' | 'responses'> & {
  parameters: ParameterObject[];
  responses: Record<string, ResponseObject>;
};
type Content = ResponseObject['content'];

/**
 * Changes that break a client of `before`: something is removed, more is required, or an answer promises less
 * (interface.md §1, Versioning).
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const current = operationsOf(after);
  return [...operationsOf(before)].flatMap(([name, operation]) => {
    const successor = current.get(name);
    const changes = successor ? compareOperations(operation, successor) : ['removed'];
    return [...new Set(changes)].map((change) => `${name}: ${change}`);
  });
}

function operationsOf(document: OpenApiDocument): Map<string, Operation> {
  const paths = dereferenced(document) as Record<string, Record<string, Operation>>;
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
}

/** The paths with what each reference stands for. Operations share most schemas: each is read once. */
function dereferenced(document: OpenApiDocument): unknown {
  const targets = new Map<string, unknown>();

  function targetOf(reference: string): unknown {
    const keys = reference.split('/').slice(1);
    const target = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    const whole = dereference(target);
    targets.set(reference, whole);
    return whole;
  }

  function dereference(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(dereference);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string')
      return targets.get(value.$ref) ?? targetOf(value.$ref);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, dereference(inner)]));
  }

  return dereference(document.paths);
}

function compareOperations(before: Operation, after: Operation): string[] {
  const callers = callersOf(after);
  const scope = after['x-required-scope'];
  const isNewScope = scope !== undefined && scope !== before['x-required-scope'];
  return [
    ...callersOf(before)
      .filter((caller) => !callers.includes(caller))
      .map((caller) => `no longer takes ${caller}`),
    ...(isNewScope ? [`needs the scope ${scope}`] : []),
    ...compareParameters(before, after),
    ...compareBodies(before, after),
    ...Object.entries(before.responses).flatMap(([status, { content }]) => {
      const response = after.responses[status];
      if (!response) return [`status ${status} removed`];
      return compareContent(content, response.content, 'answered', `answer ${status}`);
    }),
  ];
}

function callersOf({ security }: Operation): string[] {
  const alternatives = security.length > 0 ? security : [{}];
  return alternatives.map((names) => Object.keys(names).sort().join(' with ') || 'calls without credentials');
}

function compareParameters(before: Operation, after: Operation): string[] {
  const old = parametersOf(before);
  const current = parametersOf(after);
  return [
    ...[...old].flatMap(([where, parameter]) => {
      const successor = current.get(where);
      if (!successor) return [`${where} removed`];
      return [
        ...(successor.required && !parameter.required ? [`${where} is now required`] : []),
        ...compareSchemas({ before: parameter.schema, after: successor.schema, where, side: 'sent' }),
      ];
    }),
    ...[...current]
      .filter(([where, { required }]) => required && !old.has(where))
      .map(([where]) => `${where} is new and required`),
  ];
}

function parametersOf({ parameters }: Operation): Map<string, ParameterObject> {
  return new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function compareBodies({ requestBody: before }: Operation, { requestBody: after }: Operation): string[] {
  if (!after) return before ? ['body removed'] : [];
  const isNowRequired = after.required && !before?.required;
  return [
    ...(isNowRequired ? ['a body is now required'] : []),
    ...compareContent(before?.content, after.content, 'sent', 'body'),
  ];
}

function compareContent(before: Content, after: Content, side: 'sent' | 'answered', where: string): string[] {
  return Object.entries(before ?? {}).flatMap(([type, { schema }]) => {
    const successor = after?.[type]?.schema;
    if (!successor) return [`${where}: no longer ${type}`];
    return compareSchemas({ before: schema, after: successor, where, side });
  });
}
