import { email as emailAddress } from '@casewatch/contracts';
import { RefusedError, UsageError } from '@casewatch/platform';
import { z } from 'zod';
import { suppressAddress } from '../changes/suppress-address.ts';
import type { AddressReason } from '../domain/suppression.ts';
import { command } from './open-admin.ts';

const reasons = ['hard_bounce', 'complaint', 'opt_out'] as const satisfies readonly AddressReason[];

// E.164: a plus and 7 to 15 digits
const address = {
  email: emailAddress.optional(),
  phone: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, 'must look like +12025550123')
    .optional(),
};

export const suppress = command({
  words: 'suppress',
  options: z.strictObject({ ...address, reason: z.enum(reasons) }),
  form: `--email a@example.org | --phone +12025550123 --reason ${reasons.join('|')}`,
  async run(admin, { reason, ...named }) {
    const { channel, text } = oneAddress(named);
    await suppressAddress(admin, channel, text, { reason, days: null });
    return { json: { channel, reason }, lines: [`No more status messages to this address (${reason}).`] };
  },
});

/** Lifts suppressions of an address. Those of a user who unsubscribed stay: only the user can lift them. */
export const unsuppress = command({
  words: 'unsuppress',
  options: z.strictObject(address),
  form: '--email a@example.org | --phone +12025550123',
  async run({ stores, addressHashes }, named) {
    const { channel, text } = oneAddress(named);
    const removed = await stores.addressSuppressions.remove(addressHashes.all(channel, text), reasons);
    if (removed === 0) throw new RefusedError('This address is not suppressed.');
    return { json: { channel, removed }, lines: ['Status messages to this address are sent again.'] };
  },
});

export function oneAddress({ email, phone }: { email?: string | undefined; phone?: string | undefined }) {
  if ((email === undefined) === (phone === undefined)) throw new UsageError('Give --email or --phone.');
  return email === undefined
    ? ({ channel: 'whatsapp', text: phone ?? '' } as const)
    : ({ channel: 'email', text: email } as const);
}
