import { randomUUID } from 'node:crypto';
import type { Logger } from '../telemetry/logger.ts';
import type { Running } from '../timing/every.ts';
import { pause } from '../timing/pause.ts';
import { collection } from './collection.ts';
import { type Connection, retryOnDuplicate, type Session } from './mongo.ts';

type LeaseRow = {
  _id: string;
  owner: string;
  fence: number;
  until: Date;
  /** Counts confirming transactions, so that they conflict with a new holder. */
  confirmed?: number;
};

const leaseModel = collection<LeaseRow>('leases', String);

/** `fence` grows with each new holder. `signal` aborts when the lease ends. */
export type HeldLease = { readonly fence: number; readonly signal: AbortSignal; validForMs(): number };

type Options = {
  connection: Connection;
  log: Logger;
  name: string;
  /** How long the lease outlives its holder's last renewal, ms. */
  ttlMs: number;
  /** How often other replicas try to acquire it, ms; default: a fifth of `ttlMs`, at most a second. */
  retryMs?: number;
  /** The work of the holder; it must end when `signal` aborts. */
  whileHeld(lease: HeldLease): Promise<void>;
};

/** `sentAt`: time before the request, on this process's monotonic clock. */
type Grant = { fence: number; sentAt: number };

type Access = { acquire(): Promise<Grant | null>; release(): Promise<void> };

/** The lease ends on the database's clock; its holder measures from before the renewal, so the holder always stops first. */
export function holdLease(options: Options): Running {
  const { name, ttlMs, log, retryMs = Math.min(ttlMs / 5, 1_000) } = options;
  const stopping = new AbortController();
  const access = leaseAccess(options);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const grant = await access.acquire().catch((error: unknown) => {
        log.warn({ lease: name, err: error }, 'lease not available');
        return null;
      });
      if (grant) await lead(options, access, grant, stopping.signal);
      await pause(retryMs, stopping.signal);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function leaseAccess({ connection, name, ttlMs, log }: Options): Access {
  const owner = randomUUID();
  const leases = leaseModel(connection);
  const unheld = { owner: '', fence: 0, until: new Date(0) };
  let exists = false;
  return {
    async acquire() {
      if (!exists)
        await retryOnDuplicate(() =>
          leases.updateOne({ _id: name }, { $setOnInsert: unheld }, { upsert: true }),
        );
      exists = true;
      const sentAt = performance.now();
      const isOwner = { $eq: ['$owner', owner] };
      const isFree = { $or: [{ $lt: ['$until', '$$NOW'] }, isOwner] };
      const fence = { $cond: [isOwner, '$fence', { $add: ['$fence', 1] }] };
      const row = await leases
        .findOneAndUpdate(
          { _id: name, $expr: isFree },
          [{ $set: { owner, fence, until: { $add: ['$$NOW', ttlMs] } } }],
          { returnDocument: 'after', updatePipeline: true },
        )
        .lean();
      return row ? { fence: row.fence, sentAt } : null;
    },
    async release() {
      const change = { $set: { until: new Date(0) } };
      await leases.updateOne({ _id: name, owner }, change).catch((error: unknown) => {
        log.warn({ lease: name, err: error }, 'lease not released; it expires by itself');
      });
    },
  };
}

async function lead(
  { name, ttlMs, log, whileHeld }: Options,
  { acquire, release }: Access,
  { fence, sentAt }: Grant,
  stopping: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  let validUntil = sentAt + ttlMs;
  const lease = { fence, signal: ended.signal, validForMs: () => validUntil - performance.now() };
  log.info({ lease: name, fence }, 'lease acquired');
  // A renewal may hang with the database; the lease ends on time all the same.
  const watchdog = setInterval(() => lease.validForMs() <= 0 && ended.abort(), 100);
  const work = whileHeld(lease).catch((error: unknown) => {
    if (!ended.signal.aborted) log.error({ lease: name, err: error }, 'work under lease failed');
    ended.abort();
  });
  const over = AbortSignal.any([stopping, ended.signal]);
  for (;;) {
    await pause(ttlMs / 3, over);
    if (over.aborted) break;
    const renewed = await acquire().catch((error: unknown) => {
      log.warn({ lease: name, err: error }, 'lease not renewed');
      return undefined;
    });
    if (renewed && renewed.fence === fence) validUntil = renewed.sentAt + ttlMs;
    else if (renewed === null || lease.validForMs() < ttlMs / 3) break;
  }
  clearInterval(watchdog);
  ended.abort();
  await work;
  await release();
}

type Confirmation = { connection: Connection; session: Session; name: string; fence: number };

/** Makes the transaction fail if another replica takes the lease over before the commit. */
export async function confirmLease({ connection, session, name, fence }: Confirmation): Promise<void> {
  const leases = leaseModel(connection);
  const change = { $inc: { confirmed: 1 } };
  const { matchedCount } = await leases.updateOne({ _id: name, fence }, change, { session });
  if (matchedCount === 0) throw new Error(`another replica holds the lease ${name}`);
}
