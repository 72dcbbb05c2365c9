import {
  type AuditEntry,
  type AuditRecord,
  auditActorKind,
  auditObjectKind,
  longestExported,
  type PartnerPrincipal,
  type StaffAct,
  toPartnerTime,
} from '@casewatch/contracts';
import {
  draftOf,
  type EventHandler,
  type Handler,
  type RequestHandler,
  readPage,
  recordOf,
} from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { ConsoleSession } from '../domain/console-session.ts';
import { type AuditRow, rowOf } from '../store/audit.ts';
import type { StaffMember } from '../store/staff.ts';

// Who did what for a partner (firm.md §2). Services record their own calls and send them as events; members who sign in are
// recorded here, in the transaction that opens or ends their session. Records hold ids; names are joined when they are read.

/** `<service>.audited`: the records of a service's calls. */
export function onAudited(
  ctx: Context,
): EventHandler<
  'identity.audited' | 'cases.audited' | 'monitor.audited' | 'notifier.audited' | 'webhooks.audited'
> {
  return async ({ records }) => await keep(ctx, records);
}

/** What the gateway refused, which no service saw. */
export function answerRecordRefusals(ctx: Context): RequestHandler<'identity.record_refusals'> {
  return async ({ records }) => {
    await keep(ctx, records);
    return {};
  };
}

async function keep(
  { clock, stores }: Pick<Context, 'clock' | 'stores'>,
  records: readonly AuditRecord[],
): Promise<void> {
  const sessionIds = records.flatMap(({ actor }) => actor.console_session_id ?? []);
  const actors = await stores.consoleSessions.actorsOf([...new Set(sessionIds)]);
  const nameOf = ({ actor }: AuditRecord) => actors.get(actor.console_session_id ?? '') ?? null;
  await stores.audit.insert(records.map((record) => rowOf(record, nameOf(record))));
  // A record may come after the erasure of its partner. Looked at last: an erasure in between has missed it.
  const partners = [...new Set(records.map(({ partner_id }) => partner_id))];
  const gone = await stores.partners.goneAmong(partners, clock.now());
  if (gone.length > 0) await stores.audit.remove(records.filter((r) => gone.includes(r.partner_id)));
}

type Acts = { member: Pick<StaffMember, '_id' | 'partner_id'>; act: StaffAct; address: string | null };

/** Records what a member did outside the interface, in the caller's transaction. */
export async function recordStaffAct(
  { clock, stores }: Pick<Context, 'clock' | 'stores'>,
  tx: Session,
  { member, act, address }: Acts,
): Promise<void> {
  const { _id: staff_id, partner_id } = member;
  const principal: PartnerPrincipal = { kind: 'partner', partner_id, key_id: '', scopes: [], staff_id };
  const draft = draftOf(act, { principal, address: address ?? '' }, clock.now());
  if (draft) await stores.audit.insert([rowOf(recordOf({ draft, objects: [] }), null)], tx);
}

/** Records that a person opened the console of a key. */
export async function recordOpenedConsole(
  { clock, stores }: Pick<Context, 'clock' | 'stores'>,
  tx: Session,
  { partner_id, key_id, actor }: Pick<ConsoleSession, 'partner_id' | 'key_id' | 'actor'>,
): Promise<void> {
  const principal: PartnerPrincipal = { kind: 'partner', partner_id, key_id: String(key_id), scopes: [] };
  const draft = draftOf('open_console', { principal, address: '' }, clock.now());
  if (draft) await stores.audit.insert([rowOf(recordOf({ draft, objects: [] }), actor)], tx);
}

/** GET /v1/client/audit: newest first. */
export function listAudit(ctx: Context): Handler<'list_audit'> {
  return async ({ caller, query: { limit, cursor, ...filter } }) => {
    const { partner_id: partnerId } = caller;
    const { rows, page } = await readPage<AuditRow>({
      cursors: ctx.cursors,
      scope: { operation: 'list_audit', caller, filters: filter, sort: '-at' },
      cursor,
      limit,
      read: (after, count) => ctx.stores.audit.page({ partnerId, filter, after, limit: count }),
      positionOf: ({ at, _id }) => [_id, at.getTime()],
    });
    const nameOf = await namesOf(ctx, caller, rows);
    return { body: { records: rows.map((row) => presentRecord(row, nameOf(row))), ...page } };
  };
}

/** What a member did and what was done to the member, newest first; without names of others. `isCutOff`: there may be more. */
export async function exportedRecords(
  { stores }: Pick<Context, 'stores'>,
  { _id, partner_id: partnerId, name }: StaffMember,
): Promise<{ records: AuditEntry[]; isCutOff: boolean }> {
  const own = `staff:${_id}`;
  const limit = longestExported.records / 2;
  const pages = await Promise.all(
    [{ actor: own }, { object: own }].map((filter) =>
      stores.audit.page({ partnerId, filter, after: null, limit }),
    ),
  );
  const rows = new Map(pages.flat().map((row) => [row._id, row]));
  const records = [...rows.values()]
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .map((row) => presentRecord(row, row.actor === own ? name : null));
  return { records, isCutOff: pages.some(({ length }) => length === limit) };
}

function presentRecord(row: AuditRow, name: string | null): AuditEntry {
  const [kind, id = null] = row.actor.split(':');
  return {
    id: row._id,
    at: toPartnerTime(row.at),
    actor: { kind: auditActorKind.parse(kind), id: id === null ? null : Number(id), name },
    operation: row.operation,
    objects: row.objects.map((object) => {
      const [kind, id = ''] = object.split(':');
      return { kind: auditObjectKind.parse(kind), id };
    }),
    count: row.count,
    status: row.status,
    network: row.network,
    request_id: row.request_id,
  };
}

/** The names of the actors of a page. Those of people only for who may see people. */
async function namesOf(
  { stores }: Pick<Context, 'stores'>,
  { partner_id: partnerId, scopes }: PartnerPrincipal,
  rows: readonly AuditRow[],
): Promise<(row: AuditRow) => string | null> {
  const idsOf = (kind: string) => {
    const actors = [...new Set(rows.map(({ actor }) => actor))];
    return actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => Number(actor.split(':')[1]));
  };
  const people = scopes.includes('users:read') ? idsOf('person') : [];
  const [members, keys, users] = await Promise.all([
    stores.staff.findSome(partnerId, idsOf('staff')),
    stores.apiKeys.listOfPartner(partnerId),
    stores.users.findSome(people),
  ]);
  const names = new Map<string, string>([
    ...members.map(({ _id, name }) => [`staff:${_id}`, name] as const),
    ...keys.map(({ _id, name }) => [`key:${_id}`, name] as const),
    ...users
      .filter(({ partner_id }) => partner_id === partnerId)
      .map(({ _id, name }) => [`person:${_id}`, name] as const),
  ]);
  return ({ actor, console_actor }) => {
    const name = names.get(actor) ?? null;
    return console_actor === null
      ? name
      : `${name ?? `Key ${actor.slice('key:'.length)}`} (${console_actor})`;
  };
}
