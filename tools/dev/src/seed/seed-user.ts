import type { DemoUser } from './demo-data.ts';
import { expectStatus, type PartnerApi } from './partner-api.ts';
import type { SeedOptions } from './seed-options.ts';
import { verifyByMail } from './verify-by-mail.ts';

type Person = Omit<DemoUser, 'email' | 'name' | 'phone' | 'receipts'> & {
  email: string;
  name: string;
  phone: string;
  receipts?: DemoUser['receipts'];
};

/**
 * A demo user: made if missing, its address verified by the link in its mail.
 * @returns its id; undefined when somebody made it inactive, which is respected
 */
export async function seedUser(
  api: PartnerApi,
  { receipts: _, ...person }: Person,
  options: Pick<SeedOptions, 'addresses' | 'say' | 'signal'>,
): Promise<number | undefined> {
  const answer = await api<{ user: { id: number } }>('POST', '/client/users', {
    ...person,
    notify_by_email: true,
    notify_by_whatsapp: true,
    send_verification: true,
  });
  // 409: this user is there from an earlier start, with everything that belongs to it.
  if (answer.status === 409) return await findUser(api, person.email);
  const { user } = expectStatus('create a demo user', answer, 201);
  await verifyByMail(person.email, options);
  return user.id;
}

async function findUser(api: PartnerApi, email: string): Promise<number | undefined> {
  const path = `/client/users?email=${encodeURIComponent(email)}`;
  const answer = await api<{ users: { id: number; status: string }[] }>('GET', path);
  const { users } = expectStatus('find a demo user', answer, 200);
  return users.find(({ status }) => status === 'active')?.id;
}
