import { z } from 'zod';
import { demoPartners } from '../credentials/demo-keys.ts';
import { isKeyTaken } from '../store/api-keys.ts';
import { addPartner } from './add-partner.ts';
import type { AdminContext } from './admin-context.ts';
import { command, RefusedError } from './command.ts';

/** Makes the two demo partners with their known keys; what is there already stays as it is. */
export const seedDemo = command({
  words: 'seed-demo',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    if (ctx.isProduction) {
      throw new RefusedError('Demo partners are not made in production.');
    }
    const [partner, other] = demoPartners;
    if (!partner || !other) throw new RefusedError('There are no demo partners.');
    const json = { partner: await seed(ctx, partner), other_partner: await seed(ctx, other) };
    return {
      json,
      lines: [json.partner, json.other_partner].map(
        (row) => `Partner ${row.id}: X-API-KEY: ${row.api_key} X-API-SECRET: ${row.api_secret}`,
      ),
    };
  },
});

type Demo = (typeof demoPartners)[number];
type Seeded = { id: number; api_key: string; api_secret: string };

async function seed(ctx: AdminContext, demo: Demo): Promise<Seeded> {
  const known = await ctx.stores.apiKeys.findByKey(demo.keys.api_key);
  if (known) return { id: known.partner_id, ...demo.keys };
  try {
    const { name, email, keys: pair } = demo;
    const { partner } = await addPartner(ctx, { name, email, keyName: 'demo key', pair });
    return { id: partner._id, ...pair };
  } catch (error) {
    // Another seeded at the same time: theirs is there now.
    if (isKeyTaken(error)) return await seed(ctx, demo);
    throw error;
  }
}
