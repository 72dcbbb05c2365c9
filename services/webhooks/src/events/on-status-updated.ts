import {
  type Answerable,
  type CaseReply,
  detailMessage,
  type Language,
  type ObservedStatus,
  type RequestData,
  type StatusUpdated,
  type WebhookEventData,
} from '@casewatch/contracts';
import { ApiError, type EventHandler } from '@casewatch/platform';
import { fetchCase } from '../clients/owners.ts';
import type { Context } from '../context.ts';
import { describeCase } from '../present/describe.ts';
import { ingestEvent } from './ingest-event.ts';

const languageDeadlineMs = 500;

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
  const [reply, language] = await Promise.all([
    fetchCase(ctx.bus, event.case.id, (current) => includesUpdate(current, event.status_update)),
    languageOf(ctx, { user_id: event.case.user_id, partner_id: partnerId }),
  ]);
  if (!reply) return null;
  const described = describeCase(reply);
  const { latest_update: latest } = described;
  const { title_modified_date } = event;
  const explained = <Update extends Answerable & { id: number }>(update: Update) => {
    // Only the event has the date of its title.
    const dated = update.id === event.status_update.id ? { ...update, title_modified_date } : update;
    return { ...update, detail_message: detailMessage(dated, language, ctx.clock.now()) };
  };
  return {
    case: { ...described, latest_update: latest && explained(latest) },
    status_update: explained(event.status_update),
    previous_status_code: event.previous_status_code,
  };
}

/** A partner who reads the case after the event must see this update (architecture.md §4). */
function includesUpdate(reply: CaseReply, { id, observation, timestamp }: ObservedStatus): boolean {
  const { latest_update: latest } = reply.case;
  // The previous release sends no observation.
  if (reply.latest_observation == null)
    return latest !== null && (latest.id === id || latest.timestamp >= timestamp);
  return reply.latest_observation >= observation;
}

/** English if identity does not answer in time: the event does not wait for a language. */
async function languageOf(ctx: Context, user: RequestData<'identity.partner_user'>): Promise<Language> {
  try {
    const options = { deadlineMs: languageDeadlineMs };
    return (await ctx.bus.request('identity.partner_user', user, options)).preferred_language;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    ctx.log.debug({ user: user.user_id, err: error }, 'identity.partner_user unavailable; using English');
    return 'en';
  }
}
