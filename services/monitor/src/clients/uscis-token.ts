import { type Clock, type HttpClient, inSpan, withDeadline } from '@casewatch/platform';
import { z } from 'zod';
import type { MonitorConfig } from '../config.ts';
import { parseJson } from './error-envelope.ts';
import { type HttpAnswer, requestAnswer } from './http-answer.ts';

/** USCIS sends all values as strings (upstream.md). A token is visible ASCII: anything else could not be sent in a header. */
const tokenAnswer = z.object({
  access_token: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/),
  // RFC 6749 §5.1 only recommends it.
  expires_in: z.unknown().optional(),
});

/** A token without a lifetime that can be read lives as long as the tokens of USCIS do, s. */
const assumedLifeS = 1_800;
/** A longer life is not believed, s: a token that ends early would only show by its 401. */
const longestLifeS = 86_400;

/** Null if a value is no number of seconds above 0. */
function readLifeS(value: unknown): number | null {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return null;
  return Math.min(seconds, longestLifeS);
}

/** Renewal before expiry, ms; at half the life of a shorter token. */
const renewBeforeMs = 60_000;
/** A token is not used in its last ms: a request takes time. */
const unusedMs = 6_000;
const retryMs = 5_000;
const timeoutMs = 6_000;

type Settings = Pick<MonitorConfig, 'USCIS_TOKEN_URL' | 'USCIS_CLIENT_ID' | 'USCIS_CLIENT_SECRET'>;

export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    super(`the token endpoint answered ${answer.status}`);
    this.answer = answer;
  }
}

const none = { text: '', renewAtMs: 0, endsAtMs: 0 };

/** Keeps one access token and renews it before it expires. USCIS takes credentials in the form body, not as HTTP Basic. */
export function createTokens(
  { client, clock }: { client: HttpClient; clock: Clock },
  settings: Settings,
  onAssumedLife: () => void,
) {
  const { USCIS_TOKEN_URL: url, USCIS_CLIENT_ID: client_id, USCIS_CLIENT_SECRET: client_secret } = settings;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const body = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  let token = none;
  let fetching: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const startedMs = performance.now();
    const answer = await requestAnswer(url, { client, clock, method: 'POST', headers, body, timeoutMs });
    if (answer.status !== 200) throw new TokenRefusedError(answer);
    const { access_token, expires_in } = tokenAnswer.parse(parseJson(answer.body));
    const lifeS = readLifeS(expires_in);
    if (lifeS === null) onAssumedLife();
    const lifeMs = (lifeS ?? assumedLifeS) * 1_000;
    const renewAtMs = startedMs + lifeMs - Math.min(renewBeforeMs, lifeMs / 2);
    token = { text: access_token, renewAtMs, endsAtMs: startedMs + lifeMs - Math.min(unusedMs, lifeMs / 4) };
    return access_token;
  }

  function fetchOnce(): Promise<string> {
    fetching ??= inSpan({ name: 'POST token', kind: 'client' }, fetchToken).finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  return {
    /** @throws TokenRefusedError, or Error if there is no token within `withinMs` */
    async current(withinMs: number): Promise<string> {
      const nowMs = performance.now();
      if (nowMs < token.renewAtMs) return token.text;
      const renewed = fetchOnce();
      // Callers share a fetch, but each has its own time limit.
      if (nowMs >= token.endsAtMs) return await withDeadline(renewed, withinMs, 'the USCIS token');
      // A failed renewal is repeated until the token expires; after that, callers get the error.
      renewed.catch((error: unknown) => {
        const waitMs = (error instanceof TokenRefusedError && error.answer.retryAfterMs) || 0;
        token = { ...token, renewAtMs: performance.now() + Math.max(retryMs, waitMs) };
      });
      return token.text;
    },
    discard(text: string): void {
      if (token.text === text) token = none;
    },
  };
}
