import type { AuditRecord, ServiceName } from '@casewatch/contracts';
import type { Outbox } from '../outbox/outbox.ts';
import { type Connection, type Session, transaction } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Running } from '../timing/every.ts';
import type { AuditLog } from './record-call.ts';
import { createRecordQueue } from './record-queue.ts';
import { createShownAgain } from './shown-again.ts';

/** Records that wait while the database is away. */
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
  const later = createRecordQueue({ log, max: maxWaiting, store });
  return {
    add: (session, record) => add(requests, session as Session, [record]),
    store: (record) => store([record]),
    later: later.add,
    isShownAgain: createShownAgain(),
    stop: later.stop,
  };
}
