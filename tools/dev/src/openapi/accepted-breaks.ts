/**
 * Breaking changes that were made on purpose, word for word as the check says them. Within /v1 they must have been
 * announced by `Deprecation` and `Sunset` at least 180 days ahead (interface.md §1). Empty the list after a release.
 */
export const acceptedBreaks: readonly { readonly change: string; readonly why: string }[] = [
  'GET /v1/client/cases: query updated_since',
  'GET /v1/client/users: query created_since',
  'GET /v1/users/{user_id}/cases: query updated_since',
  'GET /v1/webhooks/{webhook_id}/deliveries: query since',
  'GET /v1/webhooks/{webhook_id}/deliveries: query until',
].map((where) => ({
  change: `${where} has a tighter maxLength, 40`,
  why: 'No time that anyone means is longer: it would have fifteen digits after the second.',
}));
