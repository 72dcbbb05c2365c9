import type { z } from 'zod';
import { auditRecords } from '../audit.ts';
import { reader } from '../reading/reader.ts';
import type { ServiceName } from '../services.ts';
import { caseCreated, caseDeleted, caseUpdated } from './cases.ts';
import { erasedIdDays, erasureRecorded } from './erasure.ts';
import { gatewayCounted } from './gateway.ts';
import { importFinished } from './imports.ts';
import { alertUpdated, contactOptedOut, notificationUpdated, staffOptedOut } from './notifications.ts';
import { revocationsAnnounced } from './revocations.ts';
import { staffChanged, staffDeleted } from './staff.ts';
import { checkOverdue, monitoringChanged, statusChecked, statusTouched, statusUpdated } from './status.ts';
import {
  partnerDeleted,
  partnerUpdated,
  userCreated,
  userDeleted,
  userEmailVerified,
  userUpdated,
} from './users.ts';
import { webhookDisabled } from './webhooks.ts';

/** The type is the NATS subject. `stream` null: core NATS, may be lost. */
export type EventRow = {
  readonly owner: ServiceName;
  readonly stream: string | null;
  readonly schema: z.ZodType;
  readonly consumers: readonly ServiceName[];
  /** Core events only: every replica of a consumer receives it, otherwise one replica does. */
  readonly everyReplica?: boolean;
  /** Days for which the stream and the outbox keep the event; default: 7 and 8. */
  readonly keptDays?: number;
};

/** The bus refuses subjects that a service does not own; the rights of NATS users come from this table (architecture.md §2, §3). */
export const events = {
  'user.created': row('identity', 'IDENTITY', userCreated, ['cases', 'webhooks']),
  'user.updated': row('identity', 'IDENTITY', userUpdated, ['cases', 'webhooks']),
  'user.email_verified': row('identity', 'IDENTITY', userEmailVerified, ['cases', 'webhooks']),
  'user.deleted': row('identity', 'IDENTITY', userDeleted, ['cases', 'monitor', 'notifier', 'webhooks']),
  'erasure.recorded': kept(
    erasedIdDays,
    row('identity', 'ERASED', erasureRecorded, ['identity', 'cases', 'monitor', 'notifier', 'webhooks']),
  ),
  'partner.updated': row('identity', 'IDENTITY', partnerUpdated, ['webhooks']),
  'partner.deleted': row('identity', 'IDENTITY', partnerDeleted, [
    'cases',
    'monitor',
    'notifier',
    'webhooks',
  ]),
  'staff.changed': row('identity', 'IDENTITY', staffChanged, []),
  'staff.deleted': row('identity', 'IDENTITY', staffDeleted, ['cases', 'notifier']),
  'identity.audited': row('identity', 'IDENTITY', auditRecords, ['identity']),
  'revocations.announced': toEveryReplica(row('identity', null, revocationsAnnounced, ['gateway'])),
  'case.created': row('cases', 'CASES', caseCreated, ['monitor', 'notifier', 'webhooks']),
  'case.updated': row('cases', 'CASES', caseUpdated, ['monitor', 'notifier', 'webhooks']),
  'case.deleted': row('cases', 'CASES', caseDeleted, ['monitor', 'webhooks']),
  'import.finished': row('cases', 'CASES', importFinished, ['webhooks']),
  'cases.audited': row('cases', 'CASES', auditRecords, ['identity']),
  'status.updated': row('monitor', 'STATUS', statusUpdated, ['cases', 'notifier', 'webhooks']),
  'status.touched': row('monitor', 'STATUS', statusTouched, ['cases']),
  'status.monitoring_changed': row('monitor', 'STATUS', monitoringChanged, ['cases', 'notifier', 'webhooks']),
  'status.check_overdue': row('monitor', 'STATUS', checkOverdue, ['cases', 'notifier', 'webhooks']),
  'status.checked': row('monitor', null, statusChecked, ['cases']),
  'monitor.audited': row('monitor', 'STATUS', auditRecords, ['identity']),
  'notification.updated': row('notifier', 'NOTIFICATIONS', notificationUpdated, ['cases', 'webhooks']),
  'contact.opted_out': row('notifier', 'NOTIFICATIONS', contactOptedOut, ['identity']),
  'alert.updated': row('notifier', 'NOTIFICATIONS', alertUpdated, ['cases']),
  'staff.opted_out': row('notifier', 'NOTIFICATIONS', staffOptedOut, ['identity']),
  'notifier.audited': row('notifier', 'NOTIFICATIONS', auditRecords, ['identity']),
  'webhooks.audited': row('webhooks', 'WEBHOOKS', auditRecords, ['identity']),
  'webhook.disabled': row('webhooks', 'WEBHOOKS', webhookDisabled, []),
  'gateway.counted': toEveryReplica(row('gateway', null, gatewayCounted, ['gateway'])),
} as const;

export type Events = typeof events;
export type EventType = keyof Events;
export type EventData<T extends EventType> = z.output<Events[T]['schema']>;

export type EventTypeOf<S extends ServiceName> = {
  [T in EventType]: Events[T]['owner'] extends S ? T : never;
}[EventType];

/** Durable events and core events. */
export type ConsumedBy<S extends ServiceName> = {
  [T in EventType]: S extends Events[T]['consumers'][number] ? T : never;
}[EventType];

/** Days for which an event is kept, if not for the usual time. */
export function keptDaysOf(type: EventType): number | undefined {
  const row: EventRow = events[type];
  return row.keptDays;
}

/** Stream names with their subjects. */
export function streamsOf(owner: ServiceName): { name: string; subjects: EventType[] }[] {
  const rows = (Object.keys(events) as EventType[]).filter(
    (type) => events[type].owner === owner && events[type].stream !== null,
  );
  const names = [...new Set(rows.map((type) => events[type].stream as string))];
  return names.map((name) => ({ name, subjects: rows.filter((type) => events[type].stream === name) }));
}

/** One per stream: `<service>-<stream>` (architecture.md §3). */
export function subscriptionsOf(
  service: ServiceName,
): { stream: string; durable: string; types: EventType[] }[] {
  const types = (Object.keys(events) as EventType[]).filter((type) =>
    (events[type].consumers as readonly ServiceName[]).includes(service),
  );
  const streams = [...new Set(types.map((type) => events[type].stream).filter((name) => name !== null))];
  return streams.map((stream) => ({
    stream,
    durable: `${service}-${stream.toLowerCase()}`,
    types: types.filter((type) => events[type].stream === stream),
  }));
}

/** The durable consumers of a service, with the event types that each gets. */
export function consumersOf(service: ServiceName): { stream: string; durable: string; subjects: string[] }[] {
  return subscriptionsOf(service).map(({ types, ...consumer }) => ({ ...consumer, subjects: types }));
}

function row<
  S extends z.ZodType,
  O extends ServiceName,
  N extends string | null,
  const C extends readonly ServiceName[],
>(owner: O, stream: N, schema: S, consumers: C) {
  return { owner, stream, schema: reader(schema), consumers };
}

function kept<R extends EventRow>(days: number, event: R) {
  return { ...event, keptDays: days };
}

function toEveryReplica<R extends EventRow & { readonly stream: null }>(event: R): R {
  return { ...event, everyReplica: true };
}
