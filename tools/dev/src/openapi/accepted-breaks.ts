import { operations } from '@casewatch/contracts';

/**
 * Breaking changes that were made on purpose, word for word as the check says them. Within /v1 they must have been
 * announced by `Deprecation` and `Sunset` at least 180 days ahead (interface.md §1). Empty the list after a release.
 */
export const acceptedBreaks: readonly { readonly change: string; readonly why: string }[] = [
  ...Object.values(operations).map(({ method, path }) => ({
    change: `${method} ${path}: header X-Request-Id removed`,
    why: 'Only the document changed: any value is taken as before, which no schema can say.',
  })),
  ...[
    'POST /v1/auth/login-code: body.email',
    'POST /v1/auth/token: body.email',
    'GET /v1/client/users: query email',
    'POST /v1/client/users: body.email',
    'POST /v1/client/users/resend-verification: body.email',
    'PUT /v1/client/users/{user_id}: body.email',
    'GET /v1/users: query email',
    'POST /v1/users: body.email',
    'POST /v1/users/resend-verification: body.email',
    'PUT /v1/users/{user_id}: body.email',
  ].map((where) => ({
    change: `${where} has another pattern, ^(?=[^@]{0,63}[A-Za-z0-9_+-]@)[A-Za-z0-9_'+-]+(\\.[A-Za-z0-9_'+-]+)*@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$`,
    why: 'Only the document changed: it now says which addresses were taken all along.',
  })),
  ...[
    'GET /v1/client/cases/{case_ref}',
    'GET /v1/users/{user_id}/cases/{case_ref}',
    'PUT /v1/users/{user_id}/cases/{case_ref}',
    'DELETE /v1/users/{user_id}/cases/{case_ref}',
  ].map((where) => ({
    change: `${where}: path case_ref has another pattern, ^([1-9][0-9]{0,14}|[1-8][0-9]{15}|FLOW[0-9]{7,15}|FLOW[0-8][0-9]{15})$`,
    why: 'Only the document changed: a reference beyond 2^53-1 was refused before.',
  })),
  {
    change: 'POST /v1/auth/token: a body is now required',
    why: 'Only the document changed: without one it was 400 before.',
  },
  {
    change: 'POST /v1/auth/token: body.code has another pattern, ^[ -]*([0-9][ -]*){6}$',
    why: 'Only the document changed: a code without six digits was refused before.',
  },
  {
    change:
      'PUT /v1/client/logo: body.logo_url has another pattern, ^https:\\/\\/[A-Za-z0-9.-]+(:[0-9]{1,4})?([/?#][\\x21-\\x7e]*)?$',
    why: 'An address with a user name, or of a form that only some URL parsers take, is not shown by mail programs.',
  },
];
