import { email, name } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform';
import { z } from 'zod';
import { makeKeyPair } from '../credentials/api-key.ts';
import { newKey, newPartner } from './add-partner.ts';
import { command } from './command.ts';

/** Makes a partner and their first key pair; the secret is shown here and never again. */
export const partnerCreate = command({
  words: 'partner create',
  form: '--name "Smith Immigration" --email office@example.com',
  options: z.strictObject({ name, email }),
  async run(ctx, options) {
    const partner = await newPartner(ctx, options);
    const pair = makeKeyPair();
    const key = await newKey(ctx, { partnerId: partner._id, name: 'first key', pair });
    await transaction(ctx.db, async (session) => {
      await ctx.stores.partners.insert(partner, session);
      await ctx.stores.apiKeys.insert(key, session);
    });
    return {
      json: { partner: { id: partner._id, name: partner.name, key_id: key._id, ...pair } },
      lines: [
        `Partner ${partner._id} created, with key ${key._id}. The secret is not shown again.`,
        `X-API-KEY: ${pair.api_key}`,
        `X-API-SECRET: ${pair.api_secret}`,
      ],
    };
  },
});
