import { toIso } from '@casewatch/contracts';
import { z } from 'zod';
import { command } from './command.ts';

export const partnerList = command({
  words: 'partner list',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    const partners = await ctx.stores.partners.list();
    const rows = partners.map(({ _id, name, email, status, created_at }) => ({
      id: _id,
      name,
      email,
      status,
      created_at: toIso(created_at),
    }));
    const lines = rows.map((row) => `${row.id}\t${row.status}\t${row.name}\t${row.email}`);
    return { json: { partners: rows }, lines: lines.length > 0 ? lines : ['There are no partners yet.'] };
  },
});
