import { createPartner, UnexpectedAnswer } from '@casewatch/driver';
import { CliError } from '../problem.ts';
import { DEMO_USERS } from './demo-data.ts';
import type { SeedOptions } from './seed-options.ts';
import { seedUser } from './seed-user.ts';
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
