import { setTimeout as delay } from 'node:timers/promises';
import { ListenError } from './options.mjs';

const pollMs = 1_000;
const timeoutMs = 10_000;
const longestWaitMs = 30_000;

/**
 * Yields page after page of GET /v1/events. Asks once a second, and waits longer when Casewatch says so.
 * @type {import('./declarations.d.ts').Follow}
 */
export async function* follow({ gateway, headers, cursor, since }, { say, signal }) {
  let failures = 0;
  for (let position = cursor; ; ) {
    const query = new URLSearchParams({
      limit: '100',
      since,
      ...(position !== null && { cursor: position }),
    });
    const answer = await ask(new URL(`/v1/events?${query}`, gateway), headers, signal);
    if (signal.aborted) return;
    if ('body' in answer) {
      failures = 0;
      const page = /** @type {import('./declarations.d.ts').Page} */ (answer.body);
      position = page.next_cursor;
      yield page;
      if (!page.has_more) await pause(pollMs, signal);
      continue;
    }
    failures += 1;
    const waitMs = answer.retryAfterMs ?? Math.min(pollMs * 2 ** (failures - 1), longestWaitMs);
    say(`Casewatch does not answer (${answer.reason}); trying again in ${Math.ceil(waitMs / 1_000)} s`);
    await pause(waitMs, signal);
  }
}

/** @type {import('./declarations.d.ts').Ask} */
export async function ask(url, headers, signal) {
  try {
    const response = await fetch(url, {
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.ok) return { body: await response.json() };
    const { message = 'no reason given', retryable = response.status >= 500 } = await problemOf(response);
    if (!retryable && response.status !== 429) throw new ListenError(`${response.status}: ${message}`);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { reason: `${response.status}`, retryAfterMs: seconds > 0 ? seconds * 1_000 : null };
  } catch (error) {
    if (error instanceof ListenError) throw error;
    return { reason: reasonOf(error), retryAfterMs: null };
  }
}

/** @type {(response: Response) => Promise<import('./declarations.d.ts').Problem>} */
async function problemOf(response) {
  const text = await response.text();
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {};
}

/** @param {unknown} error */
export function reasonOf(error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/** @type {import('./declarations.d.ts').Pause} */
export async function pause(ms, signal) {
  await delay(ms, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error;
  });
}
