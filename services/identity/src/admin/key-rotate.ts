import { idText, toIso } from '@casewatch/contracts';
import { integerSetting, transaction } from '@casewatch/platform';
import { z } from 'zod';
import { replaceKey } from '../changes/change-keys.ts';
import { newKey } from '../credentials/new-key.ts';
import { command } from './command.ts';
import { linesOfPair } from './lines-of-pair.ts';
import { loadLiveKey } from './load-live-key.ts';

const daySeconds = 24 * 60 * 60;

/** Replaces a key pair by a new one that may do the same; both hold for the overlap. */
export const keyRotate = command({
  words: 'key rotate',
  form: '--key 1 [--overlap-seconds 86400]',
  options: z.strictObject({
    key: idText,
    'overlap-seconds': integerSetting(0, 30 * daySeconds).default(daySeconds),
  }),
  async run(ctx, options) {
    const old = await loadLiveKey(ctx, options.key);
    const { row: successor, pair } = await newKey(ctx, {
      partnerId: old.partner_id,
      name: old.name,
      scopes: old.scopes,
      allowedIps: old.allowed_ips,
    });
    const change = { old, successor, overlapSeconds: options['overlap-seconds'] };
    const replaced = await transaction(ctx.db, (session) => replaceKey(ctx, session, change));
    const end = toIso(replaced.expires_at);
    return {
      json: {
        key: { id: successor._id, partner_id: old.partner_id, name: successor.name, ...pair },
        replaced_key: { id: old._id, expires_at: end },
      },
      lines: linesOfPair(`Key ${successor._id} replaces key ${old._id}, which ends ${end}.`, pair),
    };
  },
});
