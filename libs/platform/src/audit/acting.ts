import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type AuditObject,
  type AuditObjectKind,
  type AuditRecord,
  auditObject,
  maxAuditObjects,
} from '@casewatch/contracts';
import { v7 as uuidv7 } from 'uuid';
import { shortNetworkOf } from '../http/callers/network-of.ts';
import type { SignedCaller } from '../http/callers/principal.ts';
import { rowContext } from '../telemetry/logger.ts';

/** A record before it is known what the call acted on. */
export type Draft = Omit<AuditRecord, 'objects' | 'count'>;

/** A call or a command that is recorded, while it runs. `partnerId`: of a command. */
export type Acting = { readonly objects: Map<string, AuditObject>; partnerId: number | null };

const storage = new AsyncLocalStorage<Acting>();

export function whileActing<T>(acting: Acting, work: () => T): T {
  return storage.run(acting, work);
}

/**
 * Says what the current call did something to, or showed: it stands in the record of the call. In a transaction it also says that
 * the transaction has an effect, so call it there. Events of the outbox say it themselves. Without a call it does nothing.
 */
export function acted(kind: AuditObjectKind, id: string | number): void {
  storage.getStore()?.objects.set(`${kind}:${id}`, { kind, id: String(id) });
}

/** Says whose partner an operator's command acts for. Null: nobody could read a record. */
export function actedFor(partnerId: number | null): void {
  const acting = storage.getStore();
  if (acting) acting.partnerId = partnerId;
}

/** The same as `acted` for the subject of an event, such as `case/12`. */
export function actedOnSubject(subject: string): void {
  const [kind, id] = subject.split('/');
  const { data } = auditObject.safeParse({ kind, id });
  if (data) acted(data.kind, data.id);
}

/** Null where nobody could read the record: of callers who belong to no partner. `at`: when the call began. */
export function draftOf(operation: string, { principal, address }: SignedCaller, at: Date): Draft | null {
  if (principal.kind === 'anonymous' || principal.partner_id === null) return null;
  return {
    id: uuidv7(),
    at: at.toISOString(),
    partner_id: principal.partner_id,
    actor: actorOf(principal),
    operation,
    status: 200,
    network: shortNetworkOf(address),
    request_id: rowContext().request_id,
  };
}

function actorOf(principal: Exclude<SignedCaller['principal'], { kind: 'anonymous' }>): AuditRecord['actor'] {
  if (principal.kind === 'user')
    return { kind: 'person', id: String(principal.user_id), console_session_id: null };
  if (principal.staff_id !== undefined)
    return { kind: 'staff', id: String(principal.staff_id), console_session_id: null };
  return { kind: 'key', id: principal.key_id, console_session_id: principal.console?.session_id ?? null };
}

/** Parameters of paths that are ids. A case can also be named by its receipt number, so its handlers say the id. */
const kindOfParam: Readonly<Record<string, AuditObjectKind>> = {
  user_id: 'user',
  staff_id: 'staff',
  key_id: 'key',
  webhook_id: 'webhook',
  delivery_id: 'delivery',
  task_id: 'replay',
  import_id: 'import',
};

export function objectsOfPath(params: object): AuditObject[] {
  return Object.entries(params).flatMap(([name, id]) => {
    const kind = kindOfParam[name];
    return kind ? [{ kind, id: String(id) }] : [];
  });
}

type Ending = { draft: Draft; objects: readonly AuditObject[]; status?: number; count?: number | null };

export function recordOf({ draft, objects, status = draft.status, count = null }: Ending): AuditRecord {
  return { ...draft, status, count, objects: objects.slice(0, maxAuditObjects) };
}
