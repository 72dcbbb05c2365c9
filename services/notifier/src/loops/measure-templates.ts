import { every, type Running } from '@casewatch/platform';
import { readTemplateStates } from '../clients/template-state.ts';
import type { Context } from '../context.ts';

const intervalMs = 15 * 60_000;

/** Asks Twilio, which a scrape cannot wait for. */
export function measureTemplates(ctx: Context): Running {
  return every(
    intervalMs,
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
