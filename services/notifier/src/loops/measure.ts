import { channel } from '@casewatch/contracts';
import { every, type Running } from '@casewatch/platform';
import { readTemplateStates } from '../clients/template-state.ts';
import type { Context } from '../context.ts';

const intervalMs = 15_000;
const templatesMs = 15 * 60_000;

/** Measures what a scrape cannot ask the database or Twilio for. */
export function measureWaiting(ctx: Context): Running {
  return every(
    intervalMs,
    async () => {
      for (const name of channel.options)
        ctx.metrics.waiting(name, await ctx.stores.notifications.longestWaitSeconds(name));
    },
    (error) => ctx.log.warn({ err: error }, 'waiting notifications not measured'),
  );
}

export function measureTemplates(ctx: Context): Running {
  return every(
    templatesMs,
    async () => {
      if (!ctx.whatsapp) return;
      const states = await readTemplateStates(ctx.whatsapp);
      ctx.metrics.compared(states);
      for (const { template, language, sid, isReady, finding } of states)
        if (sid !== null && !isReady)
          ctx.log.warn({ template, language, finding }, 'WhatsApp template not ready');
    },
    (error) => ctx.log.info({ err: error }, 'WhatsApp templates not compared'),
  );
}
