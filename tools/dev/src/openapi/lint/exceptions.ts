import type { OpenApiDocument } from '@casewatch/contracts';

/** A rule that does not apply to the document, or to a part of it. */
export type Exception = {
  readonly rule: string;
  /** `path` has the keys from the document's root. Without `at`, the rule applies nowhere. */
  readonly at?: (path: readonly string[], document: OpenApiDocument) => boolean;
  readonly why: string;
};

export const exceptions: readonly Exception[] = [
  {
    rule: 'owasp:api1:2023-no-numeric-ids',
    why: 'The specification fixes integer ids. Nothing follows from guessing one: what is another tenant’s answers 404, like what does not exist, and the authorisation matrix shows it for every operation.',
  },
  ...['owasp:api2:2023-write-restricted', 'owasp:api2:2023-read-restricted'].map((rule) => ({
    rule,
    at: isOpen,
    why: 'Signing in, signing up, and what links in mails and providers call: they come without credentials, and carry a code, a token or a signature.',
  })),
  {
    rule: 'owasp:api8:2023-define-error-responses-401',
    at: isOpen,
    why: 'Credentials change nothing there, not even wrong ones: there is no 401 to describe.',
  },
  {
    rule: 'owasp:api2:2023-no-credentials-in-url',
    at: isOpen,
    why: 'A link in a mail has no other place for its token. It does one thing, is void after its time, is never logged, and its pages send no address in a Referer.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    at: (path) => path.includes('Problem') || path.includes('Fault'),
    why: 'A problem may name what the request had too much of; what can be sent is bounded by the limits on bodies and headers.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    at: isText,
    why: 'What the government says, and what stands in the operator’s own settings, is passed on whole: a limit could only be wrong one day.',
  },
  {
    rule: 'owasp:api4:2023-array-limit',
    at: (path) => ['history', 'new_history', 'errors', 'users', 'attempts'].includes(path.at(-1) ?? ''),
    why: 'The government’s own history, all faults of a request, all accounts of an address, all tries of a delivery: each whole.',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    why: 'Names, sentences and opaque tokens are free text within their limits; whatever has a form has a pattern or a format.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    at: (path) => path[3] !== 'responses' || path[5] !== 'headers',
    why: 'The rule takes everything named `headers` for headers of an answer, also a webhook’s field.',
  },
  {
    rule: 'contact-properties',
    why: 'Whom to write to is the operator’s to say, on the page that the contact’s url leads to.',
  },
  {
    rule: 'license-url',
    why: 'The licence is named by its SPDX identifier, and OpenAPI 3.1 forbids both at once.',
  },
  { rule: 'openapi-tags-alphabetical', why: 'Groups stand in the order in which a newcomer needs them.' },
];

type Method = keyof OpenApiDocument['paths'][string];

function isOpen([root, name = '', method = '']: readonly string[], { paths }: OpenApiDocument): boolean {
  return root === 'paths' && paths[name]?.[method as Method]?.security.length === 0;
}

const texts =
  /^((previous_)?status_code|status_description|detail_message|form_type|status_slug|category|date|(.*_)?(es|pt)|case_url|reply_to|support_contact|disabled_reason|error)$/;

function isText(path: readonly string[]): boolean {
  return path.some((key) => texts.test(key));
}
