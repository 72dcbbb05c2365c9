import { createPartner, expectStatus, type Partner, UnexpectedAnswer, verifyByMail } from '@casewatch/driver';
import { CliError } from '../cli-error.ts';
import { DEMO_USERS, type DemoUser, type SeedOptions } from './demo-data.ts';
import { seedWebhook } from './seed-webhook.ts';

/** After a crash the next monitor takes the lease within 15 s; until then creations get 503. */
const CASE_MS = 30_000;

/** Creates the demo users, cases and webhook endpoint over HTTP; existing objects stay, so that every start can call this. */
export async function seedDemo(options: SeedOptions): Promise<void> {
  const { addresses, signal } = options;
  const partner = createPartner(addresses, options.partner, { timeoutMs: CASE_MS, signal });
  try {
    await seedWebhook(partner, options);
    const ids = await Promise.all(DEMO_USERS.map((user) => seedUser(partner, user, options)));
    const cases = DEMO_USERS.flatMap(({ receipts }, index) => {
      const userId = ids[index];
      return userId === undefined ? [] : receipts.map((receipt) => ({ userId, receipt }));
    });
    // In sequence: USCIS dislikes parallel requests.
    for (const { userId, receipt } of cases)
      await partner.newCase(userId, receipt, { description: 'Demo case' }).catch(ignoreExisting);
  } catch (err) {
    signal.throwIfAborted();
    const reason = err instanceof Error ? err.message : String(err);
    throw new CliError(`The demo data could not be made: ${reason}\n${options.hint}`);
  }
}

/** 409: an earlier start created the case. */
function ignoreExisting(err: unknown): void {
  if (!(err instanceof UnexpectedAnswer && err.status === 409)) throw err;
}

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
