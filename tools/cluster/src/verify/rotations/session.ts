import { standIn } from '../partner.ts';
import type { DevFile } from '../reach.ts';
import { until } from '../wait.ts';

type Tokens = { access_token: string; refresh_token: string };

/** A person who has signed in. */
export type Session = {
  /** Takes new tokens for the refresh token. @throws Error with the status of a refusal */
  refresh(): Promise<void>;
  /** The status of reading themselves with the access token. */
  read(): Promise<number>;
  /** Which key signed the access token. */
  kid(): string;
};

/** Signs in by the code in the mail. */
export async function signIn({ gateway_url, mail_url }: DevFile, user: { id: number; email: string }) {
  const post = async <T>(path: string, body: object): Promise<T> =>
    await standIn<T>(`${gateway_url}/v1${path}`, 'POST', body);
  const { email } = user;
  const { request_id } = await post<{ request_id: string }>('/auth/login-code', { email });
  const mails = `${mail_url}/sandbox/mails?to=${encodeURIComponent(email)}`;
  const code = await until(
    async () => {
      const texts = (await standIn<{ text: string }[]>(mails)).map(({ text }) => text);
      return texts.flatMap((text) => /\b\d{6}\b/.exec(text)?.[0] ?? [])[0]; // six digits that stand alone
    },
    { what: 'the code', timeoutMs: 60_000 },
  );
  let tokens = await post<Tokens>('/auth/token', { email, code, request_id });
  const session: Session = {
    async refresh() {
      const grant = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      tokens = await post<Tokens>('/auth/token', grant);
    },
    async read() {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const { status, body } = await fetch(`${gateway_url}/v1/users/${user.id}`, { headers });
      await body?.cancel();
      return status;
    },
    kid() {
      const [header = ''] = tokens.access_token.split('.');
      return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid;
    },
  };
  return session;
}
