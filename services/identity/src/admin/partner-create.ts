import { email, name } from '@casewatch/contracts';
import { z } from 'zod';
import { addPartner } from './add-partner.ts';
import { command } from './command.ts';
import { keyPairLines } from './lines-of-pair.ts';

/** Makes a partner and their first key pair; the secret is shown here and never again. */
export const partnerCreate = command({
  words: 'partner create',
  form: '--name "Smith Immigration" --email office@example.com',
  options: z.strictObject({ name, email }),
  async run(ctx, options) {
    const { partner, keyId, pair } = await addPartner(ctx, { ...options, keyName: 'first key' });
    return {
      json: { partner: { id: partner._id, name: partner.name, key_id: keyId, ...pair } },
      lines: keyPairLines(`Partner ${partner._id} created, with key ${keyId}.`, pair),
    };
  },
});
