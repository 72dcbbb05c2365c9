import { waitFor } from '@casewatch/testing';
import type { TestNotifier } from './notifier.ts';
import { untilAnswered, type WireUser } from './people.ts';
import type { TestIdentity } from './start-identity.ts';

export type SignedIn = { accessToken: string; refreshToken: string; sessionId: string };

let network = 0;

/** A network address that no other test has, so that limits of one test are not another's. */
export function someNetworkAddress(): string {
  network += 1;
  return `198.51.${Math.floor(network / 250)}.${(network % 250) + 1}`;
}

/** Asks for a code and reads it from the mail. */
export async function requestCode(
  identity: TestIdentity,
  notifier: TestNotifier,
  email: string,
  address = someNetworkAddress(),
): Promise<{ requestId: string; code: string }> {
  const reply = await identity.call('POST', '/v1/auth/login-code', { body: { email }, address });
  if (reply.status !== 200) throw new Error(reply.text);
  const requestId = String(reply.body.request_id);
  const mail = await waitFor(() =>
    notifier.sent.find(({ message_id }) => message_id === `login-${requestId}`),
  );
  return { requestId, code: mail.kind === 'login_code' ? mail.code : '' };
}

/** The whole way of a person: code, mail, token. */
export async function signIn(
  identity: TestIdentity,
  notifier: TestNotifier,
  user: WireUser,
): Promise<SignedIn> {
  const { email } = user;
  const { requestId, code } = await requestCode(identity, notifier, email);
  const body = { email, code, request_id: requestId };
  const ask = () => identity.call('POST', '/v1/auth/token', { body });
  const reply = await untilAnswered(ask);
  if (reply.status !== 200) throw new Error(reply.text);
  const accessToken = String(reply.body.access_token);
  const claims = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
  const { sid } = JSON.parse(claims) as { sid: string };
  return { accessToken, refreshToken: String(reply.body.refresh_token), sessionId: sid };
}

/** A code that is surely wrong. */
export function wrongCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
