import type { Operation } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Request } from 'express';

/**
 * Refuses a caller that takes nothing of what the operation answers: JSON, and for operations with a page HTML. Without
 * Accept, or with a wildcard in it, anything is taken; an operation without a body answers nobody amiss.
 * @throws ApiError not_acceptable
 */
export function checkAccept(req: Request, { success, page }: Operation): void {
  if (success.body === null) return;
  const types = ['application/json', ...(page ? ['text/html'] : [])];
  if (req.accepts(types) !== false) return;
  throw new ApiError('not_acceptable', { message: `This is only available as ${types.join(' or ')}.` });
}
