import { idText } from '@casewatch/contracts';
import { z } from 'zod';
import { command } from './command.ts';
import { setSuspended } from './set-suspended.ts';

/** Suspends a user: no sign-in, sessions end, nothing is checked; a partner cannot lift it. */
export const userSuspend = command({
  words: 'user suspend',
  form: '--user 1',
  options: z.strictObject({ user: idText }),
  async run(ctx, options) {
    const user = await setSuspended(ctx, options.user, true);
    return {
      json: { user: { id: user._id, status: user.status } },
      lines: [`User ${user._id} is ${user.status}.`],
    };
  },
});
