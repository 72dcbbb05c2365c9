import type { Operation } from '../operation.ts';
import type { OperationName } from '../operations.ts';
import { exampleOf } from './example-of.ts';
import { type HeaderName, headersWith } from './headers.ts';
import { recordedExamples } from './recorded-examples.ts';
import { schemaOf } from './schema-of.ts';
import type { MediaType, ResponseObject } from './types.ts';

type Row = Operation & { name: OperationName };

const meanings = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. Casewatch processes the request in the background.',
  204: 'Done; there is no body.',
};

export function successResponses(row: Row): Record<string, ResponseObject> {
  const { success, toAnonymous } = row;
  return {
    [success.status]: responseOf(row, success),
    ...(toAnonymous && { [toAnonymous.status]: responseOf(row, toAnonymous) }),
  };
}

function responseOf(row: Row, { status, body }: Operation['success']): ResponseObject {
  const own: HeaderName[] = [
    ...(status === 201 ? (['Location'] as const) : []),
    ...(row.idempotent ? (['Idempotent-Replayed'] as const) : []),
  ];
  const answer = { description: meanings[status], headers: headersWith(...own) };
  if (body === null) return answer;
  if (row.file !== undefined) return { ...answer, content: { [row.file.type]: fileOf(row) } };
  const schema = schemaOf(body, 'output');
  const answers = recordedExamples().operations[row.name]?.answers ?? [];
  const recorded = answers.find((answered) => answered.status === status);
  const example = recorded ? recorded.body : exampleOf(schema, {});
  const json = { 'application/json': { schema, example } };
  return { ...answer, content: row.page ? { ...json, ...page } : json };
}

/** As recorded. The rows are of any number: their length has no other limit than that of a text. */
function fileOf(row: Row): MediaType {
  const recorded = recordedExamples().operations[row.name]?.answers[0]?.body;
  return { schema: { type: 'string', maxLength: 2 ** 31 - 1 }, example: String(recorded ?? '') };
}

const page = { 'text/html': { schema: { type: 'string' as const, maxLength: 65_536 } } };
