import type { Addresses } from './dev-file.ts';
import { UnexpectedAnswer } from './errors.ts';
import { codePattern, inMail, matchesIn } from './mails.ts';
import { type Answer, send, succeed } from './send.ts';
import type { Waiting } from './until.ts';

export type Tokens = { access_token: string; refresh_token: string };

const token = '/v1/auth/token';
/** The URL ends before white space or a closing bracket. */
const verificationLink = /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/;

/** Follows the link in the newest verification mail. */
export async function verifyByMail(at: Addresses, email: string, waiting: Waiting = {}): Promise<void> {
  const link = new URL(await inMail(at, email, verificationLink, { ...waiting, nth: -1 }));
  const ask = { path: link.pathname + link.search };
  await succeed({ gateway_url: link.origin }, 'GET', ask, waiting);
}

export async function loginCode(at: Addresses, email: string, waiting: Waiting = {}) {
  const nth = (await matchesIn(at, email, codePattern)).length;
  const ask = { path: '/v1/auth/login-code', body: { email } };
  const { request_id } = await succeed<{ request_id: string }>(at, 'POST', ask, waiting);
  return { email, code: await inMail(at, email, codePattern, { ...waiting, nth }), request_id };
}

/** Asks for another code where one is refused: a request that got a 503 may have used the code, or sent a newer one. */
export async function signIn<User>(at: Addresses, email: string, waiting: Waiting = {}) {
  const attempt = async () => {
    const body = await loginCode(at, email, waiting);
    return await succeed<Tokens & { user: User }>(at, 'POST', { path: token, body }, waiting);
  };
  return await attempt().catch((err: unknown) => {
    if (err instanceof UnexpectedAnswer && err.code === 'invalid_login_code') return attempt();
    throw err;
  });
}

/** A refresh token works once. */
export function refreshTokens(at: Addresses, { refresh_token }: Tokens): Promise<Answer<Tokens>> {
  return send(at, 'POST', { path: token, body: { grant_type: 'refresh_token', refresh_token } });
}

export function kidOf({ access_token }: Tokens): string {
  const header = Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString();
  return (JSON.parse(header) as { kid: string }).kid;
}
