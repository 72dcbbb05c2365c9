import type { CaseReply, EventData } from '@casewatch/contracts';
import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { describeCaseVersion } from '../present/describe.ts';
import { ingestEvent } from './ingest-event.ts';

export function onCaseCreated(ctx: Context): EventHandler<'case.created'> {
  return async (event, bus) => {
    const describe = () => described(ctx, event, describeCaseVersion);
    await ingestEvent(ctx, { type: 'case.created', owner: event.case, bus, describe });
  };
}

/** Shows the firm's additions too (interface.md §3): the event on the bus has ids alone. */
export function onCaseUpdated(ctx: Context): EventHandler<'case.updated'> {
  return async (event, bus) => {
    const withAdditions = (reply: CaseReply) => ({
      ...describeCaseVersion(reply),
      assignee_id: reply.assignee_id,
      reference: reply.reference,
      respond_by: reply.respond_by,
    });
    const describe = () => described(ctx, event, withAdditions);
    await ingestEvent(ctx, { type: 'case.updated', owner: event.case, bus, describe });
  };
}

/** Null if the case is gone. */
async function described<D>(
  { owners }: Context,
  { case: { id }, version }: Pick<EventData<'case.updated'>, 'case' | 'version'>,
  describe: (reply: CaseReply) => D,
): Promise<{ case: D } | null> {
  const reply = await owners.fetchCase(id, { version });
  return reply && { case: describe(reply) };
}
