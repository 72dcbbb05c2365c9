import { idText, name, scope, scopes } from '@casewatch/contracts';
import { z } from 'zod';
import { makeKeyPair } from '../credentials/api-key.ts';
import { newKey } from './add-partner.ts';
import { command, RefusedError } from './command.ts';

/** Scopes, comma-separated; all of them where none are named. */
const scopeList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(scope).min(1).max(scopes.length));

/** Makes another key pair of a partner; the secret is shown here and never again. */
export const keyCreate = command({
  words: 'key create',
  form: '--partner 1 [--name "second office"] [--scopes users:read,cases:read]',
  options: z.strictObject({ partner: idText, name: name.default('key'), scopes: scopeList.optional() }),
  async run(ctx, options) {
    const partner = await ctx.stores.partners.find(options.partner);
    if (!partner) throw new RefusedError(`There is no partner ${options.partner}.`);
    const pair = makeKeyPair();
    const key = await newKey(ctx, { partnerId: partner._id, name: options.name, pair });
    await ctx.stores.apiKeys.insert({ ...key, scopes: options.scopes ?? key.scopes });
    return {
      json: { key: { id: key._id, partner_id: partner._id, name: key.name, ...pair } },
      lines: [
        `Key ${key._id} of partner ${partner._id} created. The secret is not shown again.`,
        `X-API-KEY: ${pair.api_key}`,
        `X-API-SECRET: ${pair.api_secret}`,
      ],
    };
  },
});
