/**
 * Breaking changes that were made on purpose, word for word as the check says them. Within /v1 they must have been
 * announced by `Deprecation` and `Sunset` at least 180 days ahead (interface.md §1). Empty the list after a release.
 */
export const acceptedBreaks: readonly { readonly change: string; readonly why: string }[] = [
  ...longTimes(),
  ...invisibleCharacters(),
];

type Accepted = { change: string; why: string };

function longTimes(): Accepted[] {
  const places = [
    'GET /v1/client/cases: query updated_since',
    'GET /v1/client/users: query created_since',
    'GET /v1/users/{user_id}/cases: query updated_since',
    'GET /v1/webhooks/{webhook_id}/deliveries: query since',
    'GET /v1/webhooks/{webhook_id}/deliveries: query until',
  ];
  return places.map((where) => ({
    change: `${where} has a tighter maxLength, 40`,
    why: 'No time that anyone means is longer: it would have fifteen digits after the second.',
  }));
}

function invisibleCharacters(): Accepted[] {
  const unwanted =
    '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060\\u2066-\\u2069\\ufeff';
  const names = [
    'POST /v1/client/keys',
    'POST /v1/client/users',
    'POST /v1/users',
    'PUT /v1/client/users/{user_id}',
    'PUT /v1/users/{user_id}',
  ];
  const descriptions = [
    'POST /v1/client/users/{user_id}/cases',
    'POST /v1/users/{user_id}/cases',
    'POST /v1/webhooks',
    'PUT /v1/users/{user_id}/cases/{case_ref}',
    'PUT /v1/webhooks/{webhook_id}',
  ];
  const why =
    'Characters that are not seen, such as marks that turn the direction, make one name look like another.';
  return [
    ...names.map((where) => ({
      change: `${where}: body.name has another pattern, ^[^${unwanted}]*[^\\s${unwanted}][^${unwanted}]*$`,
      why,
    })),
    ...descriptions.map((where) => ({
      change: `${where}: body.description has another pattern, ^[^${unwanted}]*$`,
      why,
    })),
  ];
}
