import { RefusedError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { demoPartners, demoStaff } from '../credentials/demo-keys.ts';
import { isKeyTaken } from '../store/api-keys.ts';
import type { AdminContext } from './admin-context.ts';
import { addMember } from '../staff/invitation.ts';
import { saveMember } from '../staff/members.ts';
import { command } from './command.ts';
import { addPartner } from './partners.ts';

export const seedDemo = command({
  words: 'seed-demo',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    if (ctx.isProduction) throw new RefusedError('Demo partners are not created in production.');
    const [demo, otherDemo] = demoPartners;
    const partner = await seed(ctx, demo);
    const staff = await seedStaff(ctx, partner.id);
    const json = { partner, staff, other_partner: await seed(ctx, otherDemo) };
    return {
      json,
      lines: [
        ...[json.partner, json.other_partner].map(
          (row) => `Partner ${row.id}: X-API-KEY: ${row.api_key} X-API-SECRET: ${row.api_secret}`,
        ),
        ...staff.map(({ role, email }) => `${role}: ${email}`),
      ],
    };
  },
});
/** Members who have accepted, so that they can sign in. */
async function seedStaff(ctx: AdminContext, partner_id: number) {
  for (const member of demoStaff) {
    const id = await ctx.ids.next('staff');
    await transaction(ctx.db, async (tx) => {
      if (await ctx.stores.staff.findByEmail(partner_id, member.email, tx)) return;
      const invited = await addMember(ctx, tx, { ...member, id, partner_id });
      const set = { status: 'active', accepted_at: ctx.clock.now() } as const;
      await saveMember(ctx, tx, { member: invited, set });
    });
  }
  return demoStaff.map(({ email, role }) => ({ email, role }));
}

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
