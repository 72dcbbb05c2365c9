import {
  type Answerable,
  detailMessage,
  estimatedRespondBy,
  type StatusUpdated,
  type WebhookEventData,
} from '@casewatch/contracts';
import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { describeCase } from '../present/describe.ts';
import { ingestEvent } from './ingest-event.ts';

/** A baseline, and an update with a skip reason, are no event for partners. */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  return async (event, bus) => {
    if (event.status_update.kind === 'baseline' || event.skip_reason !== null) return;
    await ingestEvent(ctx, {
      type: 'case.status_updated',
      owner: event.case,
      bus,
      describe: (partnerId) => describe(ctx, event, partnerId),
    });
  };
}

type Data = WebhookEventData<'case.status_updated'>;

async function describe(ctx: Context, event: StatusUpdated, partnerId: number): Promise<Data | null> {
  // A partner who reads the case after the event must see this update (architecture.md §4).
  const { observation } = event.status_update;
  const reply = await ctx.owners.fetchCase(event.case.id, { observation });
  if (!reply) return null;
  const language = await ctx.owners.fetchLanguage({ user_id: event.case.user_id, partner_id: partnerId });
  const described = describeCase(reply);
  const { latest_update: latest } = described;
  const { title_modified_date } = event;
  const { id, changes } = event.status_update;
  const update = {
    ...event.status_update,
    changes,
    spanish_source: event.spanish_source ?? null,
    // USCIS may have touched it since.
    touched_at: (latest?.id === id ? latest.touched_at : event.status_update.touched_at) ?? null,
    // What the firm read in the notice outlives new words of the same status. Only the owner knows it.
    respond_by:
      latest?.id === id
        ? latest.respond_by
        : estimatedRespondBy(
            { ...event.status_update, title_modified_date },
            new Date(event.status_update.timestamp),
          ),
  };
  const explained = <Update extends Answerable & { id: number }>(shown: Update) => {
    // Only the event has the date of its title.
    const dated = shown.id === id ? { ...shown, title_modified_date } : shown;
    return { ...shown, detail_message: detailMessage(dated, language, ctx.clock.now()) };
  };
  return {
    case: { ...described, latest_update: latest && explained(latest) },
    status_update: explained(update),
    previous_status_code: event.previous_status_code,
    new_history: event.new_history,
  };
}
