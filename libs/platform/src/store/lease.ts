import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import type { Logger } from '../telemetry/logger.ts';
import { pause } from '../timing/pause.ts';
import { type Connection, isDuplicateKey, type Session } from './mongo.ts';

type LeaseRow = {
  _id: string;
  owner: string;
  fence: number;
  until: Date;
  /** Writes made under it: what makes a transaction and a take-over conflict. */
  confirmed?: number;
};

const schema = new mongoose.Schema<LeaseRow>(
  { _id: String, owner: String, fence: Number, until: Date, confirmed: Number },
  { versionKey: false, id: false, collection: 'leases' },
);

/** While held: `fence` grows with each new holder; `validUntilMs` is on this process's monotonic clock. */
export type HeldLease = { readonly fence: number; readonly signal: AbortSignal; validForMs(): number };

type Options = {
  connection: Connection;
  log: Logger;
  name: string;
  /** How long a lease outlives its holder's last sign of life, ms. */
  ttlMs: number;
  /** How often those who stand by try, ms; a fifth of `ttlMs`, at most a second, where it is left out. */
  retryMs?: number;
  /** The work of the one who holds it; ends when `signal` aborts. */
  whileHeld(lease: HeldLease): Promise<void>;
};

/**
 * One of many replicas does the work; the others stand by and take over within the lease. Time is the database's
 * (`$$NOW`), so clocks of replicas do not matter; the holder judges its own time by its monotonic clock, from
 * before the renewal was sent, and so always ends first.
 */
export function holdLease(options: Options): { stop(): Promise<void> } {
  const owner = randomUUID();
  const leases = options.connection.model<LeaseRow>('leases', schema);
  const stopping = new AbortController();
  const { name, ttlMs, log, retryMs = Math.min(ttlMs / 5, 1_000) } = options;

  let exists = false;

  async function acquire(): Promise<{ fence: number; sentAt: number } | null> {
    if (!exists) await createRow(leases, name);
    exists = true;
    const sentAt = performance.now();
    const isFree = { $or: [{ $lt: ['$until', '$$NOW'] }, { $eq: ['$owner', owner] }] };
    const fence = { $cond: [{ $eq: ['$owner', owner] }, '$fence', { $add: ['$fence', 1] }] };
    const row = await leases
      .findOneAndUpdate(
        { _id: name, $expr: isFree },
        [{ $set: { owner, fence, until: { $add: ['$$NOW', ttlMs] } } }],
        { returnDocument: 'after', updatePipeline: true },
      )
      .lean();
    return row ? { fence: row.fence, sentAt } : null;
  }

  async function lead(first: { fence: number; sentAt: number }): Promise<void> {
    const ended = new AbortController();
    let validUntil = first.sentAt + ttlMs;
    const lease = {
      fence: first.fence,
      signal: ended.signal,
      validForMs: () => validUntil - performance.now(),
    };
    log.info({ lease: name, fence: first.fence }, 'lease acquired');
    // A renewal may hang with the database; the time that was promised ends all the same.
    const watchdog = setInterval(() => lease.validForMs() <= 0 && ended.abort(), 100);
    const work = options.whileHeld(lease).catch((error: unknown) => {
      if (!ended.signal.aborted) log.error({ lease: name, err: error }, 'work under lease failed');
      ended.abort();
    });
    const over = AbortSignal.any([stopping.signal, ended.signal]);
    while (!over.aborted) {
      await pause(ttlMs / 3, over);
      if (over.aborted) break;
      const renewed = await acquire().catch((error: unknown) => {
        log.warn({ lease: name, err: error }, 'lease not renewed');
        return undefined;
      });
      if (renewed && renewed.fence === first.fence) validUntil = renewed.sentAt + ttlMs;
      else if (renewed === null || lease.validForMs() < ttlMs / 3) break;
    }
    clearInterval(watchdog);
    ended.abort();
    await work;
    await leases.updateOne({ _id: name, owner }, { $set: { until: new Date(0) } }).catch((error: unknown) => {
      log.warn({ lease: name, err: error }, 'lease not released; it expires by itself');
    });
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const taken = await acquire().catch((error: unknown) => {
        log.warn({ lease: name, err: error }, 'lease not available');
        return null;
      });
      if (taken) await lead(taken);
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

/**
 * Inside a transaction: makes it hold only if nobody has taken the lease over, also not until it commits.
 * @throws Error where somebody has
 */
export async function confirmLease({
  connection,
  session,
  name,
  fence,
}: {
  connection: Connection;
  session: Session;
  name: string;
  fence: number;
}): Promise<void> {
  const leases = connection.model<LeaseRow>('leases', schema);
  const change = { $inc: { confirmed: 1 } };
  const { matchedCount } = await leases.updateOne({ _id: name, fence }, change, { session });
  if (matchedCount === 0) throw new Error(`the lease ${name} has another holder`);
}

/** A lease that nobody has held yet; many replicas may make it at once. */
async function createRow(leases: mongoose.Model<LeaseRow>, name: string): Promise<void> {
  try {
    const unheld = { owner: '', fence: 0, until: new Date(0) };
    await leases.updateOne({ _id: name }, { $setOnInsert: unheld }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
