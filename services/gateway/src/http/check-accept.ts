import type { Operation } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Request } from 'express';

/** Operations without a response body accept any `Accept` header. @throws ApiError not_acceptable */
export function checkAccept(req: Request, { success, page }: Operation): void {
  if (success.body === null) return;
  const types = ['application/json', ...(page ? ['text/html'] : [])];
  if (req.accepts(types) !== false) return;
  throw new ApiError('not_acceptable', {
    message: `Responses are ${types.join(' or ')} only; change the Accept header.`,
  });
}
