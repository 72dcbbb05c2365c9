import type { Operation } from '../operation.ts';
import type { OperationName } from '../operations.ts';
import { groupOf } from './groups.ts';
import { errorsByStatus } from './operation-errors.ts';
import { parametersOf } from './parameters.ts';
import { requestBodyOf } from './request-body.ts';
import { callersOf, securityOf } from './security.ts';
import { errorResponse } from './shared-responses.ts';
import { successResponses } from './success-response.ts';
import type { OperationObject } from './types.ts';

export function operationObject(row: Operation & { name: OperationName }): OperationObject {
  const requestBody = requestBodyOf(row);
  return {
    operationId: row.name,
    summary: row.summary,
    description: descriptionOf(row),
    tags: [groupOf(row.path)],
    security: securityOf(row),
    ...(row.scope === null ? {} : { 'x-required-scope': row.scope }),
    parameters: parametersOf(row),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      ...successResponses(row),
      ...Object.fromEntries(
        [...errorsByStatus(row)].map(([status, codes]) => [status, errorResponse(status, codes, row.name)]),
      ),
    },
  };
}

function descriptionOf(row: Operation): string {
  const retries = row.idempotent ? 'Send an `Idempotency-Key` to retry safely.' : '';
  const pages = row.page ? 'A browser (`Accept: text/html`) gets a page, even for an error.' : '';
  return [row.note, pages, retries, callersOf(row)].filter(Boolean).join(' ');
}
