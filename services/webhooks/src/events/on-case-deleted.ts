import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { ingestEvent } from './ingest-event.ts';

export function onCaseDeleted(ctx: Context): EventHandler<'case.deleted'> {
  return async ({ case: owner, version }, bus) => {
    const { id, user_case_id, user_id } = owner;
    const data = { case: { id, user_case_id, user_id, version } };
    await ingestEvent(ctx, { type: 'case.deleted', owner, bus, describe: async () => data });
  };
}
