import { every, type Running } from '@casewatch/platform';
import { settle } from '../changes/settle.ts';
import type { Context } from '../context.ts';

const everyMs = 1_000;
const batch = 100;

/**
 * Frees rows whose sender stopped in the middle of sending. Whether their message went out is not known: e-mail goes
 * again with the same Message-ID, WhatsApp looks first (notifier.md, Sending).
 */
export function recoverInterrupted(ctx: Context): Running {
  return every(
    everyMs,
    () => recover(ctx),
    (error) => ctx.log.warn({ err: error }, 'interrupted rows not freed; trying again'),
  );
}

async function recover(ctx: Context): Promise<void> {
  for (const { _id, status, fence, channel } of await ctx.stores.notifications.interrupted(batch)) {
    const freed = await settle(
      ctx,
      { _id, status, fence },
      {
        status: 'pending',
        last_error: 'interrupted: the sender stopped while it was sending',
        dueInMs: 0,
        ambiguous: true,
      },
    );
    if (!freed) continue;
    ctx.log.warn(
      { notification: _id, outcome: 'ambiguous' },
      'sending was interrupted; the message may be sent twice',
    );
    ctx.signals.emit(channel);
  }
}
