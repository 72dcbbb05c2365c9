/** The groups of operations, in the order in which the reference shows them; the first that fits holds. */
export const groups = [
  group('Sign-in', /^\/v1\/auth\//, 'A person signs in with a code sent by e-mail.'),
  group(
    'Users',
    /^\/v1\/(client\/)?users(?!.*\/(cases|verify-email|undo-email-change))/,
    'The people whose cases are watched.',
  ),
  group(
    'Cases',
    /\/(cases|imports|acknowledgements)\b/,
    'Cases by receipt number, and their status updates.',
  ),
  group('Check', /^\/v1\/check\b/, 'The status of a receipt number now, without storing a case.'),
  group('Webhooks', /^\/v1\/webhooks\b/, 'Your endpoints, what they are told, and what became of it.'),
  group('Partner account', /^\/v1\/client\//, 'Your own profile, keys and records.'),
  group(
    'Callbacks and links',
    /\/(callbacks|unsubscribe|verify-email|undo-email-change)\b/,
    'What links in mails lead to, and what providers call. Not for partners.',
  ),
  group('Service', /^\//, 'How the service fares.'),
] as const;

/** The group that a path belongs to. */
export function groupOf(path: string): string {
  const found = groups.find(({ pattern }) => pattern.test(path));
  if (!found) throw new Error(`no group for ${path}`);
  return found.name;
}

function group(name: string, pattern: RegExp, description: string) {
  return { name, pattern, description };
}
