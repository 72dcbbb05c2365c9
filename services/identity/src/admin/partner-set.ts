import { email, idText, line, timeZone } from '@casewatch/contracts';
import { UsageError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { changePartner } from '../changes/change-partner.ts';
import type { Partner } from '../store/partners.ts';
import { command, findStaying } from './command.ts';

/** `none` empties a field. */
const orNone = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('none').transform(() => null), schema]).optional();

const options = z.strictObject({
  partner: idText,
  // 200 people with their partners' settings fit into one answer (identity.people).
  'case-url': orNone(z.url({ protocol: /^https$/ }).max(500)),
  'reply-to': orNone(email),
  'support-contact': orNone(line(1, 200)),
  'time-zone': orNone(timeZone),
  'notify-unverified': z.enum(['yes', 'no']).optional(),
  'case-limit': orNone(z.coerce.number().int().min(1).max(1_000_000)),
});

/** Sets what notifications to the partner's users show, when they are sent, and how many active cases the partner may have. */
export const partnerSet = command({
  words: 'partner set',
  form: '--partner 1 [--case-url "https://firm.example/cases/{user_case_id}"] [--reply-to help@firm.example] [--support-contact "+1 202 555 0100"] [--time-zone America/Chicago] [--notify-unverified yes|no] [--case-limit 5000]',
  options,
  async run(ctx, { partner: partnerId, ...given }) {
    const set = fieldsOf(given);
    if (Object.keys(set).length === 0) throw new UsageError('Give an option to set.');
    await transaction(ctx.db, async (tx) => {
      await findStaying(ctx, partnerId, tx);
      await changePartner(ctx, tx, { partnerId, set });
    });
    const names = Object.keys(set).join(', ');
    return { json: { partner: { id: partnerId, ...set } }, lines: [`Partner ${partnerId}: ${names} set.`] };
  },
});

function fieldsOf(given: Omit<z.output<typeof options>, 'partner'>): Partial<Partner> {
  const fields = {
    case_url: given['case-url'],
    reply_to: given['reply-to'],
    support_contact: given['support-contact'],
    time_zone: given['time-zone'],
    notify_unverified: given['notify-unverified'] && given['notify-unverified'] === 'yes',
    case_limit: given['case-limit'],
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
