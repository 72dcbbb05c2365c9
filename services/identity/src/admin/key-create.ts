import { idText, name, scope, scopes } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform';
import { z } from 'zod';
import { addKey } from '../changes/change-keys.ts';
import { newKey } from '../credentials/new-key.ts';
import { command, RefusedError } from './command.ts';
import { keyPairLines } from './lines-of-pair.ts';

/** A list with commas between its parts. */
const commaSeparated = z.string().transform((text) => text.split(',').map((part) => part.trim()));

/** Scopes; all of them where none are named. */
const scopeList = commaSeparated.pipe(z.array(scope).min(1).max(scopes.length));

/** Addresses and ranges; from everywhere where none are named. */
const addressList = commaSeparated.pipe(
  z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be IP addresses or CIDR ranges')),
);

/** Makes another key pair of a partner; the secret is shown here and never again. */
export const keyCreate = command({
  words: 'key create',
  form: '--partner 1 [--name "second office"] [--scopes users:read,cases:read] [--allowed-ips 192.0.2.0/24]',
  options: z.strictObject({
    partner: idText,
    name: name.default('key'),
    scopes: scopeList.optional(),
    'allowed-ips': addressList.optional(),
  }),
  async run(ctx, options) {
    const partner = await ctx.stores.partners.find(options.partner);
    if (!partner) throw new RefusedError(`There is no partner ${options.partner}.`);
    const { row, pair } = await newKey(ctx, {
      partnerId: partner._id,
      name: options.name,
      scopes: options.scopes,
      allowedIps: options['allowed-ips'] ?? [],
    });
    await transaction(ctx.db, (tx) => addKey(ctx, tx, row));
    return {
      json: { key: { id: row._id, partner_id: partner._id, name: row.name, ...pair } },
      lines: keyPairLines(`Key ${row._id} of partner ${partner._id} created.`, pair),
    };
  },
});
