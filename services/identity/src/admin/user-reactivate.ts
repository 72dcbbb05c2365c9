import { idText } from '@casewatch/contracts';
import { z } from 'zod';
import { command } from './command.ts';
import { setSuspended } from './set-suspended.ts';

/** Makes a user active again, whoever suspended them. */
export const userReactivate = command({
  words: 'user reactivate',
  form: '--user 1',
  options: z.strictObject({ user: idText }),
  async run(ctx, options) {
    const user = await setSuspended(ctx, options.user, false);
    return {
      json: { user: { id: user._id, status: user.status } },
      lines: [`User ${user._id} is ${user.status}.`],
    };
  },
});
