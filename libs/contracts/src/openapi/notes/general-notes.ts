import type { FieldNotes } from './field-note.ts';

/** Fields that mean the same wherever they stand, and those of a problem. */
export const generalNotes: FieldNotes = {
  'query.status': { description: 'Only entries with this status.' },
  status: { description: 'Current status.', example: 200 },
  success: { description: 'True if the operation succeeded; false in every error.' },
  message: {
    description:
      'Sentence for people. Programs should use the HTTP status and `code`; the sentence can change.',
    example: 'Done.',
  },
  id: { description: 'Id: an integer that is never reused.', example: 1042 },
  created_at: { description: 'Time of creation, UTC.' },
  updated_at: { description: 'Time of the last change, UTC.' },
  limit: { description: 'Number of entries per page.' },
  cursor: {
    description:
      '`next_cursor` of the previous page. Valid for 24 hours, with the same filters and sort order.',
  },
  sort: { description: 'Field to sort by. A leading `-` sorts in descending order.' },
  has_more: { description: 'Whether there is a next page.', example: false },
  next_cursor: {
    description: 'Send it as `cursor` to get the next page; null on the last page.',
    example: null,
  },
  since: { description: 'Only entries from this time on.' },
  until: { description: 'Only entries up to this time.' },
  created_since: { description: 'Only entries created at or after this time.' },
  updated_since: { description: 'Only entries changed at or after this time.' },
  token: { description: 'Token from the link.', example: 'token-from-the-link' },

  Problem: {
    description: 'Every error has this shape: RFC 9457 problem details, with `success` and `message`.',
  },
  Fault: { description: 'One fault of a request.' },
  'Problem.request_id': {
    description: 'Id of the request, as in the `X-Request-Id` header.',
    example: 'req_5f1d7a52c3e94b0d8a6f21c4',
  },
  'Problem.code': { description: 'Error code for programs. Its meaning never changes within /v1.' },
  'Problem.status': { description: 'The HTTP status.' },
  'Problem.title': { description: 'Name of the HTTP status.' },
  'Problem.type': { description: 'Path of the page that explains the code.' },
  'Problem.detail': { description: 'The same as `message` (RFC 9457).' },
  'Problem.instance': { description: 'Id of the request as a URN.' },
  'Problem.retryable': { description: 'Whether the same request may succeed later without a change.' },
  'Problem.errors': { description: 'All faults of the request; empty if the error is not about a field.' },
  'Problem.users': { description: 'Users to choose from. Only with `user_selection_required`.' },
  'Fault.in': { description: 'Part of the request that has the fault.' },
  'Fault.pointer': {
    description: 'For a fault in the body: JSON Pointer to the field, as a URI fragment.',
    example: '#/email',
  },
  'Fault.parameter': { description: 'For a fault elsewhere: name of the parameter or header.' },
  'Fault.code': { description: 'Code of the fault, for programs.', example: 'required' },
  'Fault.message': { description: 'Description of the fault, for people.', example: 'is required' },
};
