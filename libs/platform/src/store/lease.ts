import { randomUUID } from 'node:crypto';
import type { Logger } from '../telemetry/logger.ts';
import type { Running } from '../timing/every.ts';
import { pause } from '../timing/pause.ts';
import { createWakeableTimer } from '../timing/wakeable-timer.ts';
import { collection } from './collection.ts';
import { type Connection, retryOnDuplicate } from './mongo.ts';

type LeaseRow = {
  _id: string;
  owner: string;
  fence: number;
  until: Date;
};

const leaseModel = collection<LeaseRow>('leases', String);

/** `fence` grows with each new holder. `signal` aborts when the lease ends. */
export type HeldLease = { readonly fence: number; readonly signal: AbortSignal; validForMs(): number };

/** How the replicas learn that a lease was given back. A lost signal only delays the next holder until the lease ends. */
export type LeaseSignals = { notify(): void; subscribe(wake: () => void): () => void };

/** The leases that this process holds or waits for, by connection. */
const leasesOf = new WeakMap<Connection, Map<string, boolean>>();

export function heldLeases(connection: Connection): ReadonlyMap<string, boolean> {
  return leasesOf.get(connection) ?? new Map();
}

function noteLease({ connection, name }: Options, isHeld: boolean): void {
  const leases = leasesOf.get(connection) ?? new Map<string, boolean>();
  leasesOf.set(connection, leases.set(name, isHeld));
}

type Options = {
  connection: Connection;
  log: Logger;
  name: string;
  /** How long the lease outlives its holder's last renewal, ms. */
  ttlMs: number;
  /** How often other replicas try to acquire it, ms; default: a fifth of `ttlMs`, at most a second. */
  retryMs?: number;
  /** With signals, a standby sleeps until the lease ends or is given back. Without, it tries every `retryMs`. */
  signals?: LeaseSignals;
  /** The lease is given back before the work has ended: the rest of the work is fenced. */
  releasesFirst?: boolean;
  /** The work of the holder; it must end when `signal` aborts. */
  whileHeld(lease: HeldLease): Promise<void>;
};

/** A moment on the monotonic clock, and on the wall clock, which goes on while a virtual machine is suspended. */
type Moment = { monotonicMs: number; wallMs: number };

/** `sentAt`: before the request. `leftMs`: the time until the lease ends, of this or another holder. */
type Attempt = { isHolder: boolean; fence: number; leftMs: number; sentAt: Moment };

type Access = { acquire(): Promise<Attempt>; release(): Promise<void> };

/** After the end of a lease, by the database's clock, ms. */
const graceMs = 100;

/** A timer does not run while the machine is suspended: how late the end may be noticed after that, ms. */
const suspendedMs = 1_000;

/** The lease ends on the database's clock; its holder measures from before the renewal, so the holder always stops first. */
export function holdLease(options: Options): Running {
  const { name, ttlMs, log, signals, retryMs = Math.min(ttlMs / 5, 1_000) } = options;
  const stopping = new AbortController();
  const access = leaseAccess(options);
  const timer = createWakeableTimer(stopping.signal);
  const unsubscribe = signals?.subscribe(timer.wake);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const attempt = await access.acquire().catch((error: unknown) => {
        log.warn({ lease: name, err: error }, 'lease not available');
        return null;
      });
      noteLease(options, attempt?.isHolder === true);
      if (attempt?.isHolder) await lead(options, access, attempt, stopping.signal);
      const isWaiting = signals && attempt && !attempt.isHolder;
      await timer.sleep(isWaiting ? attempt.leftMs + graceMs : retryMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      leasesOf.get(options.connection)?.delete(name);
      unsubscribe?.();
    },
  };
}

function leaseAccess({ connection, name, ttlMs, log, signals }: Options): Access {
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
      const sentAt = now();
      const isOwner = { $eq: ['$owner', owner] };
      const isFree = { $or: [{ $lt: ['$until', '$$NOW'] }, isOwner] };
      const fence = { $cond: [isOwner, '$fence', { $add: ['$fence', 1] }] };
      const until = { $add: ['$$NOW', ttlMs] };
      const held = { owner: '$owner', fence: '$fence', until: '$until' };
      const row = await leases
        .findOneAndUpdate(
          { _id: name },
          // An update that changes nothing is not written.
          [
            {
              $replaceWith: { $mergeObjects: ['$$ROOT', { $cond: [isFree, { owner, fence, until }, held] }] },
            },
          ],
          {
            returnDocument: 'after',
            updatePipeline: true,
            projection: { owner: 1, fence: 1, leftMs: { $subtract: ['$until', '$$NOW'] } },
          },
        )
        .lean<Pick<LeaseRow, 'owner' | 'fence'> & { leftMs: number }>();
      if (!row) throw new Error(`the row of the lease ${name} is missing`);
      return { isHolder: row.owner === owner, fence: row.fence, leftMs: Math.max(0, row.leftMs), sentAt };
    },
    async release() {
      const change = { $set: { until: new Date(0) } };
      await leases.updateOne({ _id: name, owner }, change).then(
        () => signals?.notify(),
        (error: unknown) => log.warn({ lease: name, err: error }, 'lease not released; it expires by itself'),
      );
    },
  };
}

function now(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** The time since a moment by the clock that went on further. */
function msSince({ monotonicMs, wallMs }: Moment): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}

async function lead(
  { name, ttlMs, log, whileHeld, releasesFirst = false }: Options,
  { acquire, release }: Access,
  { fence, sentAt }: Attempt,
  stopping: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  let renewedAt = sentAt;
  const lease = { fence, signal: ended.signal, validForMs: () => ttlMs - msSince(renewedAt) };
  log.info({ lease: name, fence }, 'lease acquired');
  const stopWatching = endOnTime(lease, ended);
  const work = whileHeld(lease).catch((error: unknown) => {
    if (!ended.signal.aborted) log.error({ lease: name, err: error }, 'work under lease failed');
    ended.abort();
  });
  const over = AbortSignal.any([stopping, ended.signal]);
  const renewalMs = (ttlMs * 2) / 3;
  for (let pauseMs = renewalMs; ; ) {
    await pause(pauseMs, over);
    if (over.aborted) break;
    const renewed = await acquire().catch((error: unknown) => {
      log.warn({ lease: name, err: error }, 'lease not renewed');
      return undefined;
    });
    const isRenewed = renewed?.isHolder && renewed.fence === fence;
    if (isRenewed) renewedAt = renewed.sentAt;
    else if (renewed || lease.validForMs() < ttlMs / 10) break;
    pauseMs = isRenewed ? renewalMs : ttlMs / 20;
  }
  stopWatching();
  ended.abort();
  if (releasesFirst) await release();
  await work;
  if (!releasesFirst) await release();
}

/** A renewal may hang with the database; the lease ends on time all the same. Returns the function that ends the watch. */
function endOnTime(lease: Pick<HeldLease, 'validForMs'>, ended: AbortController): () => void {
  let timer: NodeJS.Timeout | undefined;
  function watch(): void {
    const leftMs = lease.validForMs();
    if (leftMs <= 0) ended.abort();
    else timer = setTimeout(watch, Math.min(leftMs, suspendedMs));
  }
  watch();
  return () => clearTimeout(timer);
}
