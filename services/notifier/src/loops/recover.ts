import { pause } from '@casewatch/platform';
import type { NotifierContext } from '../context.ts';
import { settle } from './settle.ts';

const everyMs = 1_000;
const batch = 100;

/**
 * Frees rows whose sender stopped in the middle of sending. Whether their message went out is not known: e-mail goes
 * again with the same Message-ID, WhatsApp looks first (notifier.md, Sending).
 */
export function startRecovery(ctx: NotifierContext): { stop(): Promise<void> } {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await recover(ctx).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'interrupted rows not freed; trying again');
      });
      await pause(everyMs, stopping.signal);
    }
  }

  const loop = run();
  return {
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

async function recover(ctx: NotifierContext): Promise<void> {
  for (const { _id, status, fence, channel } of await ctx.notifications.interrupted(batch)) {
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
      'sending was interrupted; the message may go again',
    );
    ctx.wake(channel);
  }
}
