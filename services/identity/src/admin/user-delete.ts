import { transaction } from '@casewatch/platform';
import { z } from 'zod';
import { eraseUser } from '../changes/change-user.ts';
import type { AdminContext } from './admin-context.ts';
import { command } from './command.ts';

/** `7,8,9`: ids with commas between them. */
const idList = z
  .string()
  .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, 'must be user ids with commas between them, such as 7,8')
  .transform((text) => text.split(',').map(Number));

/** Deletes users as the interface's DELETE does: here at once, and in the other services by event. Unknown ids are left out. */
export const userDelete = command({
  words: 'user delete',
  form: '--users 1,2',
  options: z.strictObject({ users: idList }),
  async run(ctx, options) {
    const deleted: number[] = [];
    for (const id of options.users) if (await erase(ctx, id)) deleted.push(id);
    const unknown = options.users.filter((id) => !deleted.includes(id));
    return {
      json: { deleted, unknown },
      lines: [`Deleted: ${deleted.join(', ') || 'none'}. There is no user: ${unknown.join(', ') || 'none'}.`],
    };
  },
});

/** False where there is no such user. */
async function erase(ctx: AdminContext, id: number): Promise<boolean> {
  return await transaction(ctx.db, async (tx) => {
    const user = await ctx.stores.users.find(id, tx);
    if (user) await eraseUser(ctx, tx, user);
    return user !== null;
  });
}
