import { z } from 'zod';

const timeoutMs = 6_000;
const renewBeforeMs = 60_000;

/** USCIS sends all values as strings. */
const tokenAnswer = z.object({ access_token: z.string(), expires_in: z.coerce.number() });

export const uscisSettings = z.object({
  USCIS_TOKEN_URL: z.url(),
  USCIS_API_URL: z.url(),
  USCIS_CLIENT_ID: z.string().min(1),
  USCIS_CLIENT_SECRET: z.string().min(1),
});

type Settings = z.output<typeof uscisSettings>;

/** Returns a function that requests one receipt from USCIS and returns the HTTP status. */
export function createUscis(settings: Settings): (receiptNumber: string) => Promise<number> {
  let token = { text: '', renewAtMs: 0 };

  async function renewToken(): Promise<void> {
    const answer = await fetch(settings.USCIS_TOKEN_URL, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: settings.USCIS_CLIENT_ID,
        client_secret: settings.USCIS_CLIENT_SECRET,
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) throw new Error(`The token endpoint answered ${answer.status}.`);
    const { access_token, expires_in } = tokenAnswer.parse(await answer.json());
    token = { text: access_token, renewAtMs: Date.now() + expires_in * 1_000 - renewBeforeMs };
  }

  return async (receiptNumber) => {
    if (Date.now() >= token.renewAtMs) await renewToken();
    const answer = await fetch(`${settings.USCIS_API_URL}/${receiptNumber}`, {
      headers: { accept: 'application/json', authorization: `Bearer ${token.text}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.arrayBuffer();
    if (answer.status === 401) token.renewAtMs = 0;
    return answer.status;
  };
}
