import { Problem } from '../problem.ts';
import { DEMO_USERS } from './demo-data.ts';
import { partnerApi } from './partner-api.ts';
import { seedCase } from './seed-case.ts';
import type { SeedOptions } from './seed-options.ts';
import { seedUser } from './seed-user.ts';
import { seedWebhook } from './seed-webhook.ts';

/**
 * Fills the demo partner with users, cases and a webhook endpoint through the public interface. What is there already
 * stays as it is, so this runs at every start.
 * @throws Problem naming the call that did not work
 */
export async function seedDemo(options: SeedOptions): Promise<void> {
  const api = partnerApi(options.addresses.gateway_url, options.partner);
  try {
    await seedWebhook(api, options);
    const ids = await Promise.all(DEMO_USERS.map((user) => seedUser(api, user, options)));
    const wanted = DEMO_USERS.flatMap(({ receipts }, index) => {
      const userId = ids[index];
      return userId === undefined ? [] : receipts.map((receipt) => ({ userId, receipt }));
    });
    // One after the other: each asks the government, which dislikes two requests at once.
    for (const each of wanted) await seedCase(api, { ...each, signal: options.signal });
  } catch (err) {
    options.signal.throwIfAborted();
    const reason = err instanceof Error ? err.message : String(err);
    throw new Problem(`The demo data could not be made: ${reason}\n${options.hint}`);
  }
}
