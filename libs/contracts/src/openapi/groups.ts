/** In the order of the reference; the first match wins. */
export const groups = [
  group(
    'Sign-in',
    /^\/v1\/auth\//,
    'Sign users in without a password: request a login code, then exchange it for a bearer token.',
  ),
  group(
    'Users',
    /^\/v1\/(client\/)?(users|suppressions)(?!.*\/(cases|verify-email|undo-email-change))/,
    'The people whose cases are monitored. Partners use the paths under `/v1/client`; users act on their own account.',
  ),
  group(
    'Cases',
    /\/(cases|changes|imports|acknowledgements)\b/,
    'A case is a receipt number that is monitored for one user. Each change at USCIS becomes a status update.',
  ),
  group('Check', /^\/v1\/check\b/, 'Look up a receipt number once, without creating a case.'),
  group(
    'Webhooks',
    /^\/v1\/(webhooks|events)\b/,
    'Your endpoints that receive signed events, the deliveries to them, and the same events by polling.',
  ),
  group('Partner account', /^\/v1\/client\//, 'Your profile, your logo, your API keys and your staff.'),
  group(
    'Callbacks and links',
    /\/(callbacks|unsubscribe|alerts\/off|verify-email|undo-email-change)\b/,
    'Addresses that e-mail links open, or that providers call. Your integration does not need them.',
  ),
  group('Service', /^\//, 'The current state of Casewatch and USCIS.'),
] as const;

export function groupOf(path: string): string {
  const group = groups.find(({ pattern }) => pattern.test(path));
  if (!group) throw new Error(`no group for ${path}`);
  return group.name;
}

function group(name: string, pattern: RegExp, description: string) {
  return { name, pattern, description };
}
