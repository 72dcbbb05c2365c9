import {
  type CaseReply,
  detailMessage,
  type Language,
  type ObservedStatus,
  type RequestData,
  type StatusUpdated,
} from '@casewatch/contracts';
import { ApiError, type EventHandler } from '@casewatch/platform';
import { askCase } from '../clients/owners.ts';
import type { Context } from '../context.ts';
import { describeCase } from '../present/describe.ts';
import { takeIn } from './take-in.ts';

/** Longest that a sentence's language is waited for, ms. */
const languageMs = 500;

/** `status.updated` → `case.status_updated`; what nobody is told (baseline, flap, no change of content) is no event. */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  return async (event, bus) => {
    if (event.status_update.kind === 'baseline' || event.skip_reason !== null) return;
    const { partner_id: partnerId, user_id: userId } = event.case;
    await takeIn(ctx, {
      type: 'case.status_updated',
      partnerId,
      userId,
      bus,
      describe: (partner) => describe(ctx, event, partner),
    });
  };
}

async function describe(ctx: Context, event: StatusUpdated, partnerId: number): Promise<object | null> {
  const [reply, language] = await Promise.all([
    askCase(ctx.bus, event.case.id, (known) => knowsOf(known, event.status_update)),
    languageOf(ctx, { user_id: event.case.user_id, partner_id: partnerId }),
  ]);
  if (!reply) return null;
  const shown = describeCase(reply);
  const { latest_update: latest } = shown;
  return {
    case: {
      ...shown,
      latest_update: latest && { ...latest, detail_message: detailMessage(latest, language) },
    },
    status_update: {
      ...event.status_update,
      detail_message: detailMessage(event.status_update, language),
    },
    previous_status_code: event.previous_status_code,
  };
}

/** Whoever reads the case on receipt sees at least what he was told (architecture.md §4). */
function knowsOf(reply: CaseReply, { id, observation, timestamp }: ObservedStatus): boolean {
  const { latest_update: latest } = reply.case;
  // The release before says no observation. Times are no order: two replicas' clocks wrote them.
  if (reply.latest_observation == null)
    return latest !== null && (latest.id === id || latest.timestamp >= timestamp);
  return reply.latest_observation >= observation;
}

/** The reader's language is a courtesy: without an answer the sentence is English, and the event does not wait. */
async function languageOf(ctx: Context, user: RequestData<'identity.partner_user'>): Promise<Language> {
  try {
    const reply = await ctx.bus.request('identity.partner_user', user, { deadlineMs: languageMs });
    return reply.preferred_language;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    ctx.log.debug({ user: user.user_id, err: error }, "user's language not known; English");
    return 'en';
  }
}
