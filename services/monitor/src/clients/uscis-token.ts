import { type Agent, request } from 'undici';
import { z } from 'zod';

/** All values are strings in the government's answer (upstream.md). */
const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
});

/** Fetched anew this long before it ends, ms; a token of less than two minutes at half its life. */
const earlyMs = 60_000;
/** Not used any more this long before it ends, ms: a request takes its time. */
const spareMs = 6_000;
/** A renewal that failed while the token still holds is tried again after this, ms. */
const retryMs = 5_000;
const fetchWithinMs = 6_000;

type Options = { agent: Agent; url: string; clientId: string; clientSecret: string };
type Token = { text: string; renewAtMs: number; endsAtMs: number };

export type Tokens = {
  /** @throws Error if none can be had within `timeoutMs`; KeysRefusedError if our keys are not taken */
  current(timeoutMs: number): Promise<string>;
  /** A token that was refused is not used again. */
  discard(token: string): void;
};

/** The token endpoint refused our keys. */
export class KeysRefusedError extends Error {
  override readonly name = 'KeysRefusedError';
}

const none: Token = { text: '', renewAtMs: 0, endsAtMs: 0 };

/**
 * Keeps one access token, fetched by one request at a time; keys go in the form body (HTTP Basic is refused). It is
 * renewed while the old one still holds, so that nobody waits for that.
 */
export function createTokens({ agent, url, clientId, clientSecret }: Options): Tokens {
  let token = none;
  let fetching: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const startedMs = performance.now();
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(fetchWithinMs),
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      if (answer.statusCode === 401) throw new KeysRefusedError('the token endpoint refused our keys');
      throw new Error(`the token endpoint answered ${answer.statusCode}`);
    }
    const { access_token, expires_in } = tokenAnswer.parse(await answer.body.json());
    const lifeMs = expires_in * 1_000;
    token = {
      text: access_token,
      renewAtMs: startedMs + lifeMs - Math.min(earlyMs, lifeMs / 2),
      endsAtMs: startedMs + lifeMs - Math.min(spareMs, lifeMs / 4),
    };
    return access_token;
  }

  function fetchOnce(): Promise<string> {
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  return {
    async current(timeoutMs) {
      const nowMs = performance.now();
      if (nowMs < token.renewAtMs) return token.text;
      const renewed = fetchOnce();
      if (nowMs >= token.endsAtMs) return await within(timeoutMs, renewed);
      // Whoever asks after its end hears of a failure; until then it is tried again now and then.
      renewed.catch(() => {
        token = { ...token, renewAtMs: performance.now() + retryMs };
      });
      return token.text;
    },
    discard(text) {
      if (token.text === text) token = none;
    },
  };
}

/** Others may have begun the fetch, with more time than who joins it has. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no token in time')), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
