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

Partners send both \`X-API-KEY\` and \`X-API-SECRET\` with every request. Users send the bearer token that they get when they sign in.

Every error has the same shape (\`Problem\`, RFC 9457). Decide by its \`code\`; treat a code that you do not know by its \`status\`. If \`retryable\` is true, the same request may succeed later: wait for \`Retry-After\` seconds.

We work on 8 requests of one caller at a time, of which at most 6 can be live checks. Up to 128 more requests wait in a queue; further requests get 429 \`rate_limited\`. A request that waits too long in the queue gets 503 \`service_unavailable\`. A body must arrive within 2 s, otherwise the response is 408 \`request_timeout\`.

Every response has the id of the request in \`X-Request-Id\`. You can send your own id: 8 to 64 letters, digits, dots, dashes and underscores. Any other value is replaced. Quote the id when you ask us about a request.

A list returns up to \`limit\` entries, \`has_more\` and \`next_cursor\`. To get the next page, send \`next_cursor\` as \`cursor\` with the same filters and sort order.

Times are ISO 8601 in UTC with milliseconds. Only responses of GET under /v1/client use \`YYYY-MM-DD HH:MM:SS\`, also in UTC. A field without a value is null. Within /v1, responses may get new fields and enumerations may get new values: ignore those that you do not know.`;
