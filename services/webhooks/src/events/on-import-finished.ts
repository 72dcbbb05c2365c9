import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { ingestEvent } from './ingest-event.ts';

/** Counts alone: an import of many people is no event of one of them. */
export function onImportFinished(ctx: Context): EventHandler<'import.finished'> {
  return async ({ partner_id, import_id: id, ...counts }, bus) => {
    await ingestEvent(ctx, {
      type: 'import.finished',
      owner: { partner_id, user_id: null },
      bus,
      describe: async () => ({ import: { id, ...counts } }),
    });
  };
}
