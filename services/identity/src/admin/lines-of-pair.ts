import type { KeyPair } from '../credentials/api-key.ts';

/** What was done, and the pair as a partner sends it. */
export function keyPairLines(done: string, { api_key, api_secret }: KeyPair): string[] {
  return [`${done} The secret is not shown again.`, `X-API-KEY: ${api_key}`, `X-API-SECRET: ${api_secret}`];
}
