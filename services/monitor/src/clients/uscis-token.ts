import { inSpan, withDeadline } from '@casewatch/platform';
import { type Agent, request } from 'undici';
import { z } from 'zod';
import type { MonitorConfig } from '../config.ts';
import { type HttpAnswer, readHeaders } from './read-answer.ts';

/** USCIS sends all values as strings (upstream.md). */
const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/** Renewal before expiry, ms; at half the life of a shorter token. */
const renewBeforeMs = 60_000;
/** A token is not used in its last ms: a request takes time. */
const unusedMs = 6_000;
const retryMs = 5_000;
const fetchWithinMs = 6_000;

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
export function createTokens(agent: Agent, settings: Settings) {
  const { USCIS_TOKEN_URL: url, USCIS_CLIENT_ID: client_id, USCIS_CLIENT_SECRET: client_secret } = settings;
  let token = none;
  let fetching: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    const startedMs = performance.now();
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(fetchWithinMs),
    });
    if (answer.statusCode !== 200) {
      const body = await answer.body.text();
      throw new TokenRefusedError({ status: answer.statusCode, ...readHeaders(answer.headers), body });
    }
    const { access_token, expires_in } = tokenAnswer.parse(await answer.body.json());
    const lifeMs = expires_in * 1_000;
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
    /** @throws TokenRefusedError, or Error if there is no token within `timeoutMs` */
    async current(timeoutMs: number): Promise<string> {
      const nowMs = performance.now();
      if (nowMs < token.renewAtMs) return token.text;
      const renewed = fetchOnce();
      // Callers share a fetch, but each has its own time limit.
      if (nowMs >= token.endsAtMs) return await withDeadline(renewed, timeoutMs, 'the USCIS token');
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
