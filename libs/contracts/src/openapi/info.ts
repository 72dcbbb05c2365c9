import type { OpenApiDocument } from './types.ts';

/** What the interface is; `version` is the document's, the interface's own is in its paths. */
export function info(publicUrl: string): OpenApiDocument['info'] {
  return {
    title: 'Casewatch',
    version: '1.0.0',
    summary: 'Watches USCIS cases by receipt number and tells people when the status changes.',
    description: text,
    contact: { name: 'Casewatch', url: `${publicUrl}/docs` },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
}

const text = `Casewatch is not affiliated with USCIS or any other part of the government, and gives no legal advice.

Partners send \`X-API-KEY\` and \`X-API-SECRET\`, both, with every request; a person sends the bearer token that signing in gave.

Every error has one shape (\`Problem\`, RFC 9457): go by its \`code\`, and treat a code that you do not know by its \`status\`. Where \`retryable\` is true the same request may succeed later; wait for \`Retry-After\` seconds.

8 requests of one caller are worked on at the same time, at most 6 of them live checks; up to 128 more wait for their turn, and beyond that the answer is 429 \`rate_limited\`. A request whose turn does not come in time is 503 \`service_unavailable\`. A body must arrive within 2 s, else 408 \`request_timeout\`.

Every answer has the request's id in \`X-Request-Id\`; you may send one of your own, 8 to 64 letters, digits, dots, dashes and underscores (any other is replaced by one of ours). Say it when you ask us about a request.

Lists answer up to \`limit\` entries, \`has_more\` and \`next_cursor\`; send that as \`cursor\`, with the same filters and sort, for the next page.

Times are ISO 8601 in UTC with milliseconds, but in answers of GET under /v1/client, where they are \`YYYY-MM-DD HH:MM:SS\`, UTC. A field without a value is null. Answers may get further fields, and enumerations further values, within /v1; ignore those that you do not know.`;
