import { idText } from '@casewatch/contracts';
import { type Command, transaction } from '@casewatch/platform';
import { z } from 'zod';
import { changeUser } from '../changes/change-user.ts';
import { endSessionsOf } from '../changes/end-sessions.ts';
import type { User } from '../domain/user.ts';
import type { AdminContext } from './admin-context.ts';
import { command, RefusedError } from './command.ts';

/** Suspends a user: no sign-in, sessions end, nothing is checked; a partner cannot lift it. */
export const userSuspend = setStatus('user suspend', { status: 'suspended', suspended_by: 'operator' });

/** Makes a user active again, also one whom a partner suspended. */
export const userReactivate = setStatus('user reactivate', { status: 'active', suspended_by: null });

function setStatus(words: string, set: Pick<User, 'status' | 'suspended_by'>): Command<AdminContext> {
  return command({
    words,
    form: '--user 1',
    options: z.strictObject({ user: idText }),
    async run(ctx, options) {
      const user = await transaction(ctx.db, async (tx) => {
        const known = await ctx.stores.users.find(options.user, tx);
        if (!known) throw new RefusedError(`There is no user ${options.user}.`);
        if (known.status === set.status && known.suspended_by === set.suspended_by) return known;
        const changed = await changeUser(ctx, tx, { user: known, set });
        if (set.status === 'suspended') await endSessionsOf(ctx, tx, { userId: known._id });
        return changed;
      });
      return {
        json: { user: { id: user._id, status: user.status } },
        lines: [`User ${user._id} is ${user.status}.`],
      };
    },
  });
}
