import { RefusedError } from '@casewatch/platform';
import { z } from 'zod';
import { demoPartners } from '../credentials/demo-keys.ts';
import { isKeyTaken } from '../store/api-keys.ts';
import type { AdminContext } from './admin-context.ts';
import { command } from './command.ts';
import { addPartner } from './partners.ts';

export const seedDemo = command({
  words: 'seed-demo',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    if (ctx.isProduction) throw new RefusedError('Demo partners are not created in production.');
    const [demo, otherDemo] = demoPartners;
    const json = { partner: await seed(ctx, demo), other_partner: await seed(ctx, otherDemo) };
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
  const key = await ctx.stores.apiKeys.findByKey(demo.keys.api_key);
  if (key) return { id: key.partner_id, ...demo.keys };
  try {
    const { name, email, keys: pair } = demo;
    const { id } = await addPartner(ctx, { name, email, keyName: 'demo key', pair });
    return { id, ...pair };
  } catch (error) {
    // A concurrent seed came first.
    if (isKeyTaken(error)) return await seed(ctx, demo);
    throw error;
  }
}
