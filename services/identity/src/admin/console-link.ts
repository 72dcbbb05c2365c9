import { randomUUID } from 'node:crypto';
import { idText, name, toIso } from '@casewatch/contracts';
import { integerSetting, RefusedError, acted, actedFor } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { consoleLinkTokenOf } from '../credentials/console-tokens.ts';
import { isLiveKey } from '../domain/api-key.ts';
import { defaultSessionSeconds, newConsoleLink } from '../domain/console-session.ts';
import { command, findStaying } from './command.ts';

/** The console gets the scopes of the partner's first key that still works. */
export const consoleLink = command({
  words: 'console link',
  form: '--partner 1 [--actor operator] [--read-only true] [--expires-in 28800]',
  options: z.strictObject({
    partner: idText,
    actor: name.default('operator'),
    'read-only': z.enum(['true', 'false']).default('false'),
    'expires-in': integerSetting(60, 86_400).default(defaultSessionSeconds),
  }),
  async run(ctx, { partner: partner_id, actor, 'read-only': readOnly, 'expires-in': sessionSeconds }) {
    await findStaying(ctx, partner_id);
    const now = ctx.clock.now();
    const keys = await ctx.stores.apiKeys.listOfPartner(partner_id);
    const key = keys.find((each) => isLiveKey(each, now));
    if (!key) throw new RefusedError(`Partner ${partner_id} has no working key; create a key first.`);
    const grant = { partner_id, key_id: key._id, actor, read_only: readOnly === 'true' };
    const link = newConsoleLink({ ...grant, id: randomUUID(), sessionSeconds, now });
    await transaction(ctx.db, async (tx) => {
      actedFor(partner_id);
      acted('console_link', link._id);
      await ctx.stores.consoleLinks.insert(link, tx);
    });
    const url = `${ctx.publicUrl}/console/enter?token=${consoleLinkTokenOf(link._id, ctx.macs)}`;
    const expires_at = toIso(link.expires_at);
    return {
      json: { console_link: { url, actor, read_only: grant.read_only, expires_at } },
      lines: [`Console of partner ${partner_id}, until ${expires_at}, works once:`, url],
    };
  },
});
