import { type AuditRecord, maxAuditRecords, type ServiceName } from '@casewatch/contracts';
import type { Outbox } from '../outbox/outbox.ts';
import { type Connection, type Session, transaction } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { every, type Running } from '../timing/every.ts';
import type { AuditLog } from './record-call.ts';

/** Longest time between a read and the storing of its record, ms (firm.md §2: at most a second is lost in a kill). */
const laterMs = 500;
/** Records that wait while the database is away; further ones are lost, and counted in the log. */
const maxWaiting = 20_000;

const auditedType = {
  identity: 'identity.audited',
  cases: 'cases.audited',
  notifier: 'notifier.audited',
  webhooks: 'webhooks.audited',
} as const;

export type AuditedService = keyof typeof auditedType;

export function isAudited(service: ServiceName): service is AuditedService {
  return service in auditedType;
}

type Options = {
  service: AuditedService;
  /** Of the pool for requests, for what a call stores in its own transaction. */
  requests: Outbox<AuditedService>;
  /** Of the pool for background work. */
  background: { readonly db: Connection; readonly outbox: Outbox<AuditedService> };
  log: Logger;
};

/** The records of one service leave it as events, by its outbox. */
export function createAuditLog(options: Options): AuditLog & Running {
  const { service, requests, background, log } = options;
  // All of them have the same schema.
  const type = auditedType[service] as 'cases.audited';
  let waiting: AuditRecord[] = [];
  let lost = 0;

  async function add(
    outbox: Outbox<AuditedService>,
    session: Session,
    records: AuditRecord[],
  ): Promise<void> {
    const [first] = records;
    if (first) await outbox.add(session, type, `partner/${first.partner_id}`, { records }, first.id);
  }
  async function store(records: AuditRecord[]): Promise<void> {
    const { db, outbox } = background;
    await transaction(db, (session) => add(outbox, session, records));
  }
  async function storeWaiting(): Promise<void> {
    if (lost > 0) log.error({ lost }, 'audit records of reads and refusals lost');
    lost = 0;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxAuditRecords);
      await store(batch);
      waiting = waiting.slice(batch.length);
    }
  }

  const failed = (err: unknown) => log.warn({ err }, 'audit records not stored; trying again');
  const loop = every(laterMs, storeWaiting, failed);
  return {
    add: (session, record) => add(requests, session as Session, [record]),
    store: (record) => store([record]),
    later(record) {
      if (waiting.length >= maxWaiting) lost += 1;
      else waiting.push(record);
    },
    async stop() {
      await loop.stop();
      await storeWaiting().catch(failed);
    },
  };
}
