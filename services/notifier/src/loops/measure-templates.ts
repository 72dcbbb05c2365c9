import { every, type Running, watchFirstConnection } from '@casewatch/platform';
import { readTemplateStates } from '../clients/template-state.ts';
import type { Context } from '../context.ts';

const intervalMs = 15 * 60_000;

/** Asks Twilio, which a scrape cannot wait for. */
export function measureTemplates(ctx: Context): Running {
  const twilio = watchFirstConnection('twilio', ctx.log);
  return every(
    intervalMs,
    async () => {
      const states = ctx.whatsapp ? await readTemplateStates(ctx.whatsapp) : [];
      twilio.end();
      ctx.metrics.compared(states);
      for (const { template, language, sid, isReady, finding } of states)
        if (sid !== null && !isReady)
          ctx.log.warn({ template, language, finding }, 'WhatsApp template not ready');
    },
    (error) => {
      twilio.failed(error);
      twilio.end();
      ctx.log.info({ err: error }, 'WhatsApp templates not compared');
    },
  );
}
