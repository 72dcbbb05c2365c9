/** The groups of operations, in the order in which the reference shows them; the first that fits holds. */
export const groups = [
  group('Sign-in', /^\/v1\/auth\//, 'A user signs in with a code that is sent by e-mail.'),
  group(
    'Users',
    /^\/v1\/(client\/)?users(?!.*\/(cases|verify-email|undo-email-change))/,
    'The people whose cases are monitored.',
  ),
  group(
    'Cases',
    /\/(cases|imports|acknowledgements)\b/,
    'Cases by receipt number, and their status updates.',
  ),
  group('Check', /^\/v1\/check\b/, 'The status of a receipt number now, without storing a case.'),
  group('Webhooks', /^\/v1\/webhooks\b/, 'Your webhook endpoints and their deliveries.'),
  group('Partner account', /^\/v1\/client\//, 'Your profile, API keys and records.'),
  group(
    'Callbacks and links',
    /\/(callbacks|unsubscribe|verify-email|undo-email-change)\b/,
    'Addresses that links in e-mails lead to and that providers call. Not for partners.',
  ),
  group('Service', /^\//, 'Status of the service.'),
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
