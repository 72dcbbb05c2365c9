import { parseArgs } from 'node:util';

export const usage = `Usage: casewatch-listen --forward-to <url> [options]

Follows the events of your account and forwards each one to <url>, signed as a webhook.

  --forward-to <url>  the address of your server, such as http://localhost:3000/hooks
  --gateway <url>     the address of Casewatch; default: CASEWATCH_URL
  --types <list>      forward only these event types or families (case.*), separated by commas
  --since <time>      start at this time, such as 2026-11-21T10:00:00Z; default: where the last run stopped, or now
  --state <file>      remembers the position and the signing secret; default: .casewatch-listen.json

The keys of your account come from CASEWATCH_API_KEY and CASEWATCH_API_SECRET; the key needs the scope webhooks.
`;

/** A mistake in the options, or a refusal that a retry does not change. The message says what to do. */
export class ListenError extends Error {
  /** @override */
  name = 'ListenError';
}

/** @type {import('./declarations.d.ts').OptionsOf} */
export function optionsOf(words, env) {
  const { gateway = env.CASEWATCH_URL, types, since, state, ...values } = parse(words);
  const forwardTo = url(values['forward-to'], 'Give --forward-to with the address of your server');
  const apiKey = env.CASEWATCH_API_KEY;
  const apiSecret = env.CASEWATCH_API_SECRET;
  if (!apiKey || !apiSecret)
    throw new ListenError('Set CASEWATCH_API_KEY and CASEWATCH_API_SECRET to the keys of your account');
  if (since !== undefined && Number.isNaN(Date.parse(since)))
    throw new ListenError(`--since ${since} is not a time; write 2026-11-21T10:00:00Z`);
  return {
    forwardTo,
    gateway: url(gateway, 'Give --gateway, or set CASEWATCH_URL, with the address of Casewatch'),
    headers: { 'X-API-KEY': apiKey, 'X-API-SECRET': apiSecret },
    types: types?.split(',').map((type) => type.trim()) ?? null,
    since: since === undefined ? null : new Date(since).toISOString(),
    state: state ?? '.casewatch-listen.json',
  };
}

/** @param {string[]} words */
function parse(words) {
  const text = /** @type {const} */ ({ type: 'string' });
  const options = { 'forward-to': text, gateway: text, types: text, since: text, state: text };
  try {
    return parseArgs({ args: words, options }).values;
  } catch (error) {
    throw new ListenError(error instanceof Error ? error.message : String(error));
  }
}

/** @type {import('./declarations.d.ts').UrlOf} */
function url(text, sentence) {
  if (text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return new URL(text);
  throw new ListenError(`${sentence}, such as http://localhost:3000`);
}
