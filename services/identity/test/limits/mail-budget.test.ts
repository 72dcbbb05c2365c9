import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { attacks, operationsThatNameAnAddress } from '../support/mailing-operations.ts';
import type { TestNotifier } from '../support/notifier.ts';
import { makeUser, someAddress, type TestPartner } from '../support/people.ts';
import type { TestIdentity } from '../support/start-identity.ts';
import { useIdentity } from '../support/use-identity.ts';

const perHour = 3;
const codesPerHour = 15;
/** Uses of an operation: more than its limit allows. */
const timesOf = (operation: string) => (operation === 'request_login_code' ? 20 : 6);

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const collections = ['email_verifications', 'email_changes', 'address_requests', 'login_challenges'];

/** Every mail that waits has been handed over. */
async function allMailsAreSent(): Promise<void> {
  await waitFor(
    async () => {
      const waiting = await Promise.all(
        collections.map((name) =>
          identity.db.collection(name).countDocuments({ 'delivery.status': 'queued' }),
        ),
      );
      return waiting.every((count) => count === 0);
    },
    { timeoutMs: 30_000, what: 'the end of the mail queues' },
  );
}

function mailsTo(recipient: string): { codes: number; others: number } {
  const mails = new Map(
    notifier.sent.filter(({ to }) => to === recipient).map((mail) => [mail.message_id, mail.kind]),
  );
  const codes = [...mails.values()].filter((kind) => kind === 'login_code').length;
  return { codes, others: mails.size - codes };
}

const attacked = Object.entries(attacks).flatMap(([name, attack]) =>
  attack ? [[name, timesOf(name), attack] as const] : [],
);

describe('the mails to one recipient', () => {
  it('are tested for every operation whose body names an address', () => {
    expect(attacked.map(([name]) => name).sort()).toEqual(operationsThatNameAnAddress.sort());
  });

  it.each(attacked)('stay within the limit when %s is used %d times', async (_name, times, attack) => {
    // Somebody who is known already: codes and notices go to users alone.
    const recipient = (await makeUser(identity, partner)).email;
    await attack(identity, recipient, times);
    await allMailsAreSent();
    const { codes, others } = mailsTo(recipient);
    expect(codes).toBeLessThanOrEqual(codesPerHour);
    expect(others).toBeGreaterThan(0);
    expect(others).toBeLessThanOrEqual(perHour);
  });

  it('stay within the limit when all of them are used', async () => {
    const recipient = someAddress();
    for (const [, , attack] of attacked) await attack(identity, recipient, 3);
    await allMailsAreSent();
    const { codes, others } = mailsTo(recipient);
    expect(others).toBe(perHour);
    expect(codes).toBeLessThanOrEqual(codesPerHour);
  });
});
