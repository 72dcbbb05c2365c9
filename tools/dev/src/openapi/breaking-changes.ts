import type { OpenApiDocument, OperationObject, ParameterObject } from '@casewatch/contracts';
import { compareSchemas } from './compare-schemas.ts';
import type { Pair } from './pair.ts';
import { resolved } from './resolved.ts';

/**
 * What of a change to the document breaks a client that was written by the document before: something is gone, something
 * more is asked for, or an answer has less or other than was promised. Additions are none (interface.md §1, Versioning).
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const pair = { before, after };
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const where = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method as keyof typeof item];
      return now
        ? ofOperation(pair, operation, now).map((change) => `${where}: ${change}`)
        : [`${where}: removed`];
    }),
  );
}

function ofOperation(pair: Pair, before: OperationObject, after: OperationObject): string[] {
  return [
    ...ofCallers(before, after),
    ...ofParameters(pair, before, after),
    ...ofBody(pair, before, after),
    ...ofResponses(pair, before, after),
  ];
}

function ofCallers(before: OperationObject, after: OperationObject): string[] {
  const now = callersOf(after);
  const gone = callersOf(before).filter((caller) => !now.includes(caller));
  const scope = after['x-required-scope'];
  const isNewScope = scope !== undefined && scope !== before['x-required-scope'];
  return [
    ...gone.map((caller) => `no longer takes ${caller}`),
    ...(isNewScope ? [`needs the scope ${scope}`] : []),
  ];
}

function callersOf({ security }: OperationObject): string[] {
  const alternatives = security.length > 0 ? security : [{}];
  return alternatives.map((names) => Object.keys(names).sort().join(' with ') || 'calls without credentials');
}

function ofParameters(pair: Pair, before: OperationObject, after: OperationObject): string[] {
  const was = parametersOf(pair.before, before);
  const is = parametersOf(pair.after, after);
  const changes = [...was].flatMap(([key, old]) => {
    const now = is.get(key);
    if (!now) return [`${key} removed`];
    const more = now.required && !old.required ? [`${key} is now required`] : [];
    return [
      ...more,
      ...compareSchemas(pair, { before: old.schema, after: now.schema, where: key, side: 'sent' }),
    ];
  });
  const asked = [...is].filter(([key, { required }]) => required && !was.has(key));
  return [...changes, ...asked.map(([key]) => `${key} is new and required`)];
}

function parametersOf(
  document: OpenApiDocument,
  { parameters }: OperationObject,
): Map<string, ParameterObject> {
  return new Map(
    parameters
      .map((parameter) => resolved(document, parameter))
      .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  );
}

function ofBody(pair: Pair, before: OperationObject, after: OperationObject): string[] {
  const [was, is] = [before.requestBody, after.requestBody];
  if (!is) return was ? ['body removed'] : [];
  if (!was) return is.required ? ['a body is now required'] : [];
  const more = is.required && !was.required ? ['a body is now required'] : [];
  const changes = Object.entries(was.content).flatMap(([type, { schema }]) => {
    const now = is.content[type]?.schema;
    if (!now) return [`no longer takes ${type}`];
    return compareSchemas(pair, { before: schema, after: now, where: 'body', side: 'sent' });
  });
  return [...new Set([...more, ...changes])];
}

function ofResponses(pair: Pair, before: OperationObject, after: OperationObject): string[] {
  return Object.entries(before.responses).flatMap(([status, response]) => {
    const now = after.responses[status];
    if (!now) return [`status ${status} removed`];
    const was = resolved(pair.before, response).content ?? {};
    const is = resolved(pair.after, now).content ?? {};
    const changes = Object.entries(was).flatMap(([type, { schema }]) => {
      const answered = is[type]?.schema;
      if (!answered) return [`answer ${status}: no longer ${type}`];
      return compareSchemas(pair, {
        before: schema,
        after: answered,
        where: `answer ${status}`,
        side: 'answered',
      });
    });
    return [...new Set(changes)];
  });
}
