import { channel } from '@casewatch/contracts';
import { actedFor, RefusedError, UsageError } from '@casewatch/platform';
import { z } from 'zod';
import { changeNotifications } from '../changes/change-notification.ts';
import { command } from './open-admin.ts';

const maxRows = 1_000;
const again = { status: 'pending', dueInMs: 0, reason: null, held: true } as const;

/** Sends failed notifications again, for example those that a relay refused while it was set up wrongly. */
export const replay = command({
  words: 'replay',
  options: z.strictObject({
    notification: z
      .string()
      .regex(/^\d+:(email|whatsapp)$/, 'must look like 4711:email')
      .optional(),
    channel: channel.optional(),
    since: z.coerce.date().optional(),
    code: z.string().optional(),
  }),
  form: ['--notification 4711:email', '--channel email --since 2026-11-23T10:00:00Z [--code smtp_550]'],
  async run(admin, { notification, channel: name, since, code }) {
    if ((notification === undefined) === (name === undefined || since === undefined))
      throw new UsageError('Give --notification, or --channel and --since.');
    const { notifications } = admin.stores;
    const rows =
      name && since
        ? await notifications.failedSince({ channel: name, since, code: code ?? '' }, maxRows)
        : (await notifications.findAll([notification ?? ''])).filter(({ status }) => status === 'failed');
    const sendable = rows.filter(({ facts }) => facts !== null);
    let replayed = 0;
    // Each partner has a record of its own people's messages.
    for (const [partnerId, ofOne] of Map.groupBy(sendable, ({ partner_id }) => partner_id)) {
      actedFor(partnerId);
      const changes = ofOne.map((row) => ({ row, change: { ...again, attempts_before: row.attempts } }));
      replayed += (await changeNotifications(admin, changes)).length;
    }
    if (replayed === 0) throw new RefusedError('No failed notification matches.');
    const rest = rows.length === maxRows ? ' Run the command again for the rest.' : '';
    return {
      json: { replayed },
      lines: [`${replayed} notifications are sent again.${rest}`],
    };
  },
});
