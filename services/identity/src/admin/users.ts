import { idText } from '@casewatch/contracts';
import type { Command } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { changeUser, eraseUser } from '../changes/change-user.ts';
import { endSessionsOf } from '../changes/end-sessions.ts';
import type { User } from '../domain/user.ts';
import type { AdminContext } from './admin-context.ts';
import { command, refuseMissing } from './command.ts';

export const userSuspend = setStatus('user suspend', { status: 'suspended', suspended_by: 'operator' });

export const userReactivate = setStatus('user reactivate', { status: 'active', suspended_by: null });

function setStatus(words: string, set: Pick<User, 'status' | 'suspended_by'>): Command<AdminContext> {
  return command({
    words,
    form: '--user 1',
    options: z.strictObject({ user: idText }),
    async run(ctx, { user: id }) {
      await transaction(ctx.db, async (tx) => {
        const user = refuseMissing(await ctx.stores.users.find(id, tx), 'user', id);
        if (user.status === set.status && user.suspended_by === set.suspended_by) return;
        await changeUser(ctx, tx, { user, set });
        if (set.status === 'suspended') await endSessionsOf(ctx, tx, id);
      });
      return { json: { user: { id, status: set.status } }, lines: [`User ${id} is ${set.status}.`] };
    },
  });
}

const idList = z
  .string()
  .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, 'must be user ids with commas between them, such as 7,8')
  .transform((text) => text.split(',').map(Number));

/** Erases users here, and in the other services by event. Unknown ids are reported. */
export const userDelete = command({
  words: 'user delete',
  form: '--users 1,2',
  options: z.strictObject({ users: idList }),
  async run(ctx, { users }) {
    const deleted: number[] = [];
    for (const id of users) if (await erase(ctx, id)) deleted.push(id);
    const unknown = users.filter((id) => !deleted.includes(id));
    return {
      json: { deleted, unknown },
      lines: [`Deleted: ${deleted.join(', ') || 'none'}. Unknown users: ${unknown.join(', ') || 'none'}.`],
    };
  },
});

async function erase(ctx: AdminContext, id: number): Promise<boolean> {
  return await transaction(ctx.db, async (tx) => {
    const user = await ctx.stores.users.find(id, tx);
    if (user) await eraseUser(ctx, tx, user);
    return user !== null;
  });
}
