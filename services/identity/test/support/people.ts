import { randomUUID } from 'node:crypto';
import { type PartnerPrincipal, scopes, type UserPrincipal } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { addPartner } from '../../src/admin/partners.ts';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { pepper, type Reply, type TestIdentity } from './start-identity.ts';

export type WireUser = { id: number; email: string; version?: number } & Record<string, unknown>;
type Pair = { api_key: string; api_secret: string };
export type TestPartner = Pair & { as: PartnerPrincipal };

/** Runs the operator's command on the service's database, with `--json`. */
export async function admin(identity: TestIdentity, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await runCommand(identity, [...args, '--json']);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Record<string, unknown>;
}

export async function runCommand(
  identity: TestIdentity,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const settings = { NODE_ENV: 'test', MONGODB_URL: identity.mongoUrl, SECRET_PEPPER: pepper, ...env };
  const code = await runAdmin(args, settings, {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** What `partner create` does, without a connection for each partner. */
export async function makePartner({ operator }: TestIdentity, name: string): Promise<TestPartner> {
  const { id, keyId, pair } = await addPartner(operator, {
    name,
    email: 'office@example.com',
    keyName: 'first key',
  });
  const as: PartnerPrincipal = {
    kind: 'partner',
    partner_id: id,
    key_id: String(keyId),
    scopes: [...scopes],
  };
  return { as, ...pair };
}

export function asUser(user: WireUser, partner: TestPartner, signedInSecondsAgo = 0): UserPrincipal {
  return {
    kind: 'user',
    user_id: user.id,
    partner_id: partner.as.partner_id,
    session_id: 'a-session-of-the-test',
    signed_in_at: Math.floor(Date.now() / 1000) - signedInSecondsAgo,
  };
}

/** A machine that is too busy answers 503, and is asked again, as callers do. */
export async function untilAnswered(ask: () => Promise<Reply>): Promise<Reply> {
  return await waitFor(async () => {
    const answer = await ask();
    return answer.status !== 503 && answer;
  });
}

/** The answer to a partner that creates a user. */
export function createUser(
  identity: TestIdentity,
  { as }: TestPartner,
  fields: Record<string, unknown> = {},
): Promise<Reply> {
  const body = { email: someAddress(), name: 'Maria Silva', ...fields };
  // Asked again, it happens once.
  const headers = { 'idempotency-key': randomUUID() };
  return untilAnswered(() => identity.call('POST', '/v1/client/users', { as, body, headers }));
}

export async function makeUser(
  identity: TestIdentity,
  partner: TestPartner,
  fields: Record<string, unknown> = {},
): Promise<WireUser> {
  const reply = await createUser(identity, partner, fields);
  if (reply.status !== 201) throw new Error(reply.text);
  return userOf(reply);
}

export function userOf(reply: Reply): WireUser {
  return reply.body.user as WireUser;
}

let count = 0;

/** An address that no other test has. */
export function someAddress(): string {
  count += 1;
  return `person${count}.${Date.now().toString(36)}@example.com`;
}
