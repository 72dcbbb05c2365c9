import type { FieldNotes } from './field-note.ts';

/** Fields that mean the same wherever they stand, and those of a problem. */
export const generalNotes: FieldNotes = {
  status: { description: 'How it stands.', example: 200 },
  success: { description: 'True where the operation succeeded, false in every problem.' },
  message: {
    description: 'A sentence for people; programs go by the status and the code.',
    example: 'Done.',
  },
  id: { description: 'Id, an integer that is never used again.', example: 1042 },
  created_at: { description: 'When it was created, UTC.' },
  updated_at: { description: 'When it was changed last, UTC.' },
  limit: { description: 'Entries per page.' },
  cursor: {
    description: '`next_cursor` of the page before; holds 24 hours, with the same filters and sort.',
  },
  sort: { description: 'Order of the list; `-` is descending.' },
  has_more: { description: 'Whether there is a next page.', example: false },
  next_cursor: { description: 'Send it as `cursor` for the next page; null on the last.', example: null },
  since: { description: 'From this moment on.' },
  until: { description: 'Up to this moment.' },
  created_since: { description: 'Only what was created at or after this moment.' },
  updated_since: { description: 'Only what changed at or after this moment.' },
  token: { description: 'The token of the link, as it stands there.', example: 'token-from-the-link' },

  Problem: { description: 'The one shape of every error: RFC 9457, and `success` and `message`.' },
  Fault: { description: 'One fault of a request.' },
  'Problem.request_id': {
    description: "The request's id, as in X-Request-Id.",
    example: 'req_5f1d7a52c3e94b0d8a6f21c4',
  },
  'Problem.code': { description: 'What went wrong, for programs; its meaning never changes within /v1.' },
  'Problem.status': { description: 'The HTTP status.' },
  'Problem.title': { description: 'Name of the status.' },
  'Problem.type': { description: "Path of the code's page." },
  'Problem.detail': { description: 'The same as `message` (RFC 9457).' },
  'Problem.instance': { description: "The request's id as a URN." },
  'Problem.retryable': { description: 'Whether the same request may succeed later without a change.' },
  'Problem.errors': { description: 'Every fault of the request; empty where it is not about a field.' },
  'Problem.users': { description: 'Only with `user_selection_required`: whom to choose from.' },
  'Fault.in': { description: 'The part of the request that the fault is in.' },
  'Fault.pointer': {
    description: 'In a body: JSON Pointer to the field, as a URI fragment.',
    example: '#/email',
  },
  'Fault.parameter': { description: 'Elsewhere: name of the parameter or header.' },
  'Fault.code': { description: 'What is wrong with it, for programs.', example: 'required' },
  'Fault.message': { description: 'What is wrong with it, for people.', example: 'is required' },
};
