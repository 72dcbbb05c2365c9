import type { OpenApiDocument } from './types.ts';

/** `version` is that of the document; paths carry the version of the interface. */
export function info(publicUrl: string): OpenApiDocument['info'] {
  return {
    title: 'Casewatch',
    version: '1.0.0',
    summary: 'Monitors USCIS cases by receipt number and notifies people when the status changes.',
    description: text,
    contact: { name: 'Casewatch', url: `${publicUrl}/docs` },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
}

const text = `Casewatch monitors USCIS cases by receipt number. It notifies people by e-mail and WhatsApp, and your systems by webhooks, when a status changes. Requests and responses are JSON over HTTPS. The guide for partners' engineers (\`/docs/guide\`) starts with the first call and ends with verified webhooks.

Casewatch is not affiliated with USCIS or any other part of the government, and gives no legal advice.

## Authentication

Partners send two headers with every request: \`X-API-KEY\` and \`X-API-SECRET\`. Keep the secret on your servers. Users send \`Authorization: Bearer <token>\` with the token that they get when they sign in.

The code samples read credentials from the environment variables \`CASEWATCH_KEY\`, \`CASEWATCH_SECRET\` and \`CASEWATCH_TOKEN\`.

## Errors

Every error has the same shape: \`Problem\` (RFC 9457). Use \`code\` to decide what to do; if you do not know a code, use \`status\`. If \`retryable\` is true, the same request can succeed later: wait for \`Retry-After\` seconds. The page at \`type\` explains the code.

## Limits

Each caller has a number of requests per minute; \`RateLimit\` shows how many remain. We work on 8 requests of one caller at a time, at most 6 of them live checks. Up to 128 more wait in a queue; further requests get 429 \`rate_limited\`. A request that waits too long gets 503 \`service_unavailable\`. A body has at most 16 KiB and must arrive within 2 s, otherwise the response is 408 \`request_timeout\`.

## Request ids

Every response has the id of the request in \`X-Request-Id\`. Quote it when you contact us. You can send your own id: 8 to 64 letters, digits, dots, dashes and underscores. Put no personal data into it: logs and events keep it, also after a user was deleted. Any other value is replaced.

## Pagination

A list returns up to \`limit\` entries, \`has_more\` and \`next_cursor\`. To get the next page, send \`next_cursor\` as \`cursor\`, with the same filters and sort order.

## Idempotent requests

Send an \`Idempotency-Key\` with a request that creates something. Repeat the request with the same key, path and body within 24 hours: you get the first response again, and nothing is created twice.

## Times and new fields

Times are ISO 8601 in UTC with milliseconds. Only responses of GET under /v1/client use \`YYYY-MM-DD HH:MM:SS\`, also in UTC. A field without a value is null. Within /v1, responses can get new fields and enumerations can get new values: ignore fields and values that you do not know.`;
