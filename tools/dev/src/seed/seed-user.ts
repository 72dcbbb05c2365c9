import { expectStatus, type Partner, verifyByMail } from '@casewatch/driver';
import type { DemoUser } from './demo-data.ts';
import type { SeedOptions } from './seed-options.ts';

const MAIL_MS = 10_000;

/**
 * Creates a demo user and verifies the address.
 * @returns the id; undefined if somebody made the user inactive
 */
export async function seedUser(
  partner: Partner,
  { receipts: _, ...person }: DemoUser,
  { addresses, say, signal }: SeedOptions,
): Promise<number | undefined> {
  const channels = { notify_by_email: true, notify_by_whatsapp: true, send_verification: true };
  const answer = await partner.call<{ user: { id: number } }>('POST', '/v1/client/users', {
    ...person,
    ...channels,
  });
  // 409: an earlier start created the user.
  if (answer.status === 409) return await findUser(partner, person.email);
  const { user } = expectStatus('create a demo user', answer, 201);
  await verifyByMail(addresses, person.email, { timeoutMs: MAIL_MS, signal }).catch((err: Error) => {
    signal.throwIfAborted();
    say(`A demo user gets no status mails: ${err.message}; see logs/notifier.log`);
  });
  return user.id;
}

async function findUser(partner: Partner, email: string): Promise<number | undefined> {
  const path = `/v1/client/users?email=${encodeURIComponent(email)}`;
  const answer = await partner.call<{ users: { id: number; status: string }[] }>('GET', path);
  const { users } = expectStatus('find a demo user', answer, 200);
  return users.find(({ status }) => status === 'active')?.id;
}
