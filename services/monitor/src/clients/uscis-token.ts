import { type Agent, request } from 'undici';
import { z } from 'zod';

/** All values are strings in the government's answer (upstream.md). */
const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
});

/** Fetched anew this long before it ends, ms. */
const earlyMs = 60_000;

type Options = { agent: Agent; url: string; clientId: string; clientSecret: string };

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

/** Keeps one access token, fetched by one request at a time; keys go in the form body (HTTP Basic is refused). */
export function createTokens({ agent, url, clientId, clientSecret }: Options): Tokens {
  let token = { text: '', endsAtMs: 0 };
  let fetching: Promise<string> | undefined;

  async function fetchToken(timeoutMs: number): Promise<string> {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const startedMs = performance.now();
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      if (answer.statusCode === 401) throw new KeysRefusedError('the token endpoint refused our keys');
      throw new Error(`the token endpoint answered ${answer.statusCode}`);
    }
    const { access_token, expires_in } = tokenAnswer.parse(await answer.body.json());
    token = { text: access_token, endsAtMs: startedMs + expires_in * 1_000 - earlyMs };
    return access_token;
  }

  return {
    async current(timeoutMs) {
      if (performance.now() < token.endsAtMs) return token.text;
      fetching ??= fetchToken(timeoutMs).finally(() => {
        fetching = undefined;
      });
      return await fetching;
    },
    discard(text) {
      if (token.text === text) token = { text: '', endsAtMs: 0 };
    },
  };
}
