import type { RequestInput } from '@casewatch/contracts';
import { toIso } from '@casewatch/contracts';
import type { Bus, Clock } from '@casewatch/platform';
import type { WebhooksConfig } from '../config.ts';
import { earliestEnd } from '../domain/disabling.ts';
import type { NoticedRow } from '../store/webhook-health.ts';

type Dependencies = { bus: Bus; clock: Clock; config: WebhooksConfig };

/** After this time the notifier does not try the mail again. */
const usefulMs = 24 * 60 * 60 * 1_000;

/** Requests the mail that a notice is about, to the contact address of the partner. False if there is no address. */
export async function requestMail({ bus, clock, config }: Dependencies, row: NoticedRow): Promise<boolean> {
  const { email } = await bus.request('identity.partner', { partner_id: row.partner_id });
  if (email === '') return false;
  const expires_at = toIso(new Date(clock.now().getTime() + usefulMs));
  const end = row.disabled_at ?? earliestEnd(row.notice, config.WEBHOOKS_RETRY_SCALE);
  const times = { expires_at, disabled_at: toIso(end) };
  await bus.request('notifier.endpoint_failing', { ...mailOf(row), to: email, ...times });
  return true;
}

function mailOf({ _id, url, description, last_error, notice }: NoticedRow) {
  const { stage, since } = notice;
  return {
    message_id: `endpoint-${_id}-${since.getTime()}-${stage}`,
    language: 'en',
    stage,
    webhook_id: _id,
    host: new URL(url).hostname,
    description,
    failing_since: toIso(since),
    error: last_error ?? null,
  } satisfies Partial<RequestInput<'notifier.endpoint_failing'>>;
}
