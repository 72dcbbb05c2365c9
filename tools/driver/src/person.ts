import type { Addresses } from './dev-file.ts';
import { codePattern, inMail, matchesIn } from './mails.ts';
import { type Answer, send, succeed } from './send.ts';
import type { Waiting } from './until.ts';

export type Tokens = { access_token: string; refresh_token: string };

const token = '/v1/auth/token';
/** The address with its token, up to the next white space or closing bracket. */
const verificationLink = /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/;

/** Follows the link in the newest verification mail. */
export async function verifyByMail(
  addresses: Addresses,
  email: string,
  waiting: Waiting = {},
): Promise<void> {
  const link = new URL(await inMail(addresses, email, verificationLink, { ...waiting, nth: -1 }));
  const ask = { path: link.pathname + link.search };
  await succeed({ gateway_url: link.origin }, 'GET', ask, waiting);
}

/** Asks for a code to sign in, and takes it from the mail that this brings. */
export async function loginCode(addresses: Addresses, email: string, waiting: Waiting = {}) {
  const nth = (await matchesIn(addresses, email, codePattern)).length;
  const ask = { path: '/v1/auth/login-code', body: { email } };
  const { request_id } = await succeed<{ request_id: string }>(addresses, 'POST', ask, waiting);
  return { email, code: await inMail(addresses, email, codePattern, { ...waiting, nth }), request_id };
}

/** Signs a person in by the code in the mail; `fields` are further ones of the request for tokens. */
export async function signIn<User = { id: number }>(
  addresses: Addresses,
  email: string,
  { fields = {}, ...waiting }: Waiting & { fields?: object } = {},
): Promise<Tokens & { user: User }> {
  const body = { ...(await loginCode(addresses, email, waiting)), ...fields };
  return await succeed(addresses, 'POST', { path: token, body }, waiting);
}

/** Asks for new tokens; a refresh token serves once. */
export function refreshTokens(
  addresses: Addresses,
  { refresh_token }: Pick<Tokens, 'refresh_token'>,
): Promise<Answer<Tokens>> {
  const body = { grant_type: 'refresh_token', refresh_token };
  return send<Tokens>(addresses, 'POST', { path: token, body });
}

/** The id of the key that signed an access token. */
export function kidOf({ access_token }: Pick<Tokens, 'access_token'>): string {
  const [header = ''] = access_token.split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid;
}
