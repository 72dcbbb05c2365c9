import type { ErrorCode } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';

/** As in the requests to identity. */
const maxTokenLength = 256;

/** The token of a link in a mail. @throws ApiError with `refusal`: it cannot be one of ours */
export function readLinkToken(token: unknown, refusal: ErrorCode): string {
  if (typeof token === 'string' && token !== '' && token.length <= maxTokenLength) return token;
  throw new ApiError(refusal);
}
