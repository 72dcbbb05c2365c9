import {
  defineCommand,
  type ExplainedStep,
  explainedCase,
  explainReport,
  traceOf,
} from '@casewatch/platform';
import { z } from 'zod';
import { deliveryIdOf } from '../store/deliveries.ts';
import type { DeliveryRow } from '../store/delivery-rows.ts';
import type { EventRow } from '../store/events.ts';
import type { Stores } from '../store/stores.ts';

const service = 'webhooks';

/** The events of a case and their deliveries. Events hold the case in their body, so those of its user are read. */
export const explain = defineCommand({
  words: 'explain',
  options: z.strictObject({ case: explainedCase, user: z.coerce.number().int() }),
  form: '--case 7 --user 3',
  async run({ stores }: { stores: Stores }, { case: caseId, user }) {
    const events = (await stores.events.ofUser(user)).filter((row) => isOf(row, caseId));
    const rows = await stores.deliveries.findAll(events.flatMap(idsOf));
    const deliveries = Map.groupBy(rows, ({ event_id }) => event_id);
    return explainReport(events.flatMap((event) => stepsOf(event, deliveries.get(event._id) ?? [])));
  },
});

const body = z.object({
  data: z.object({
    case: z.object({ id: z.number() }).optional(),
    notification: z.object({ case_id: z.number() }).optional(),
  }),
});

function isOf(row: EventRow, caseId: number): boolean {
  const { case: subject, notification } = body.parse(JSON.parse(row.body)).data;
  return subject?.id === caseId || notification?.case_id === caseId;
}

function idsOf({ _id, endpoints }: EventRow): string[] {
  return endpoints.map((webhook) => deliveryIdOf(_id, webhook));
}

function stepsOf(event: EventRow, deliveries: readonly DeliveryRow[]): ExplainedStep[] {
  const trace = traceOf(event.traceparent);
  const step = (at: Date, text: string): ExplainedStep => ({ at, service, text, ...trace });
  const attempts = deliveries.flatMap(({ webhook_id, attempts, status, due_at }) => [
    ...attempts.map((attempt, i) =>
      step(attempt.at, `endpoint ${webhook_id}, attempt ${i + 1}: ${attempt.error ?? attempt.status}`),
    ),
    ...(due_at ? [step(due_at, `endpoint ${webhook_id}: ${status}, the next attempt is due`)] : []),
  ]);
  const stored = `event ${event._id} (${event.type}) for ${deliveries.length} ${deliveries.length === 1 ? 'endpoint' : 'endpoints'}`;
  return [step(event.intake_at, stored), ...attempts];
}
