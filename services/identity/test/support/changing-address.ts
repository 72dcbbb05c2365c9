import type { UserPrincipal } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { expect } from '@jest/globals';
import type { TestNotifier } from './notifier.ts';
import { someAddress } from './people.ts';
import { asSession } from './session-of.ts';
import { type SignedIn, signIn, someNetworkAddress } from './sign-in.ts';
import type { Reply, TestIdentity } from './start-identity.ts';

type World = { identity: TestIdentity; notifier: TestNotifier };

export type Person = { id: number; email: string; session: SignedIn; as: UserPrincipal };

const undoPath = '/v1/users/undo-email-change';

/** A direct user who signed up and signed in. */
export async function signedUp({ identity, notifier }: World, email = someAddress()): Promise<Person> {
  const body = { email, name: 'Direct' };
  await identity.call('POST', '/v1/users', { body, address: someNetworkAddress() });
  const row = await waitFor(() => identity.db.collection('users').findOne({ email, partner_id: null }));
  return await signedIn({ identity, notifier }, { id: Number(row._id), email }, null);
}

export async function signedIn(
  { identity, notifier }: World,
  { id, email }: { id: number; email: string },
  partnerId: number | null,
): Promise<Person> {
  const session = await signIn(identity, notifier, { id, email });
  return { id, email, session, as: asSession({ id }, session, partnerId) };
}

/** Asks for another address; mails about an earlier change are forgotten. */
export async function asksFor(
  { identity, notifier }: World,
  { id, as, email: present }: Person,
  email: string,
): Promise<Reply> {
  const isOlder = ({ kind, to }: { kind: string; to: string }) =>
    kind === 'address_change_asked' && to === present;
  notifier.sent.splice(0, notifier.sent.length, ...notifier.sent.filter((mail) => !isOlder(mail)));
  return await identity.call('PUT', `/v1/users/${id}`, { as, body: { email } });
}

/** The token of the newest link in a mail of this kind. */
export async function tokenIn({ notifier }: World, kind: string, to: string): Promise<string> {
  const mail = await waitFor(() => notifier.sent.findLast((sent) => sent.kind === kind && sent.to === to), {
    what: `a mail ${kind} to ${to}`,
  });
  return new URL('link' in mail ? mail.link : '').searchParams.get('token') ?? '';
}

/** What the present address is sent: the token that stops the change, and the page of its link. */
export async function stopOfPresent(
  world: World,
  { email }: { email: string },
): Promise<{ stop: string; page: string }> {
  const stop = await tokenIn(world, 'address_change_asked', email);
  const headers = { accept: 'text/html' };
  const { text: page } = await world.identity.call('GET', `${undoPath}?token=${stop}`, { headers });
  return { stop, page };
}

/** What the new address is sent. */
export const tokenOfNew = (world: World, email: string) => tokenIn(world, 'confirm_new_address', email);

/** The button of a page, as a program presses it. */
export const confirm = (identity: TestIdentity, token: string) =>
  identity.call('POST', '/v1/users/verify-email', { body: { token } });

export const stop = (identity: TestIdentity, token: string) =>
  identity.call('POST', undoPath, { body: { token } });

/** Asks for the address and takes what both mails lead to. */
export async function askedFor(world: World, who: Person, email = someAddress()) {
  const reply = await asksFor(world, who, email);
  expect(reply.status).toBe(200);
  return { email, reply, ...(await stopOfPresent(world, who)), prove: await tokenOfNew(world, email) };
}
