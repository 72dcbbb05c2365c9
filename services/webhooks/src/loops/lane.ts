import { pause } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { circuitWaitMs, isOpen } from '../domain/circuit.ts';
import { type Bucket, fullBucket, takeToken } from '../domain/token-bucket.ts';
import { attemptDelivery } from './attempt.ts';
import { createHealthKeeper } from './health.ts';
import { type Endpoint, loadEndpoint } from './load-endpoint.ts';

/** Attempts under way to one endpoint at most; a failing one gets its probes one by one. */
const concurrency = 8;
/** What waits in memory at most; the rest is found by the sweep. */
const maxQueue = 1_000;
/** How long what was read of an endpoint holds, and how long one that is held is left alone, ms. */
const freshMs = 1_000;
const heldMs = 2_000;

/**
 * The deliveries of one endpoint. Each lane waits for itself alone, so an endpoint that hangs or fails does not slow
 * the others (webhooks.md, Delivery). Waiting claims nothing and uses no attempts.
 */
export class Lane {
  readonly #ctx: Context;
  readonly #id: number;
  readonly #signal: AbortSignal;
  readonly #queue = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #health;
  #loop: Promise<void> | null = null;
  #endpoint: { value: Endpoint; until: number } | null = null;
  #bucket: Bucket | null = null;
  #heldUntil = 0;
  #usedAt = performance.now();

  constructor(ctx: Context, id: number, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#id = id;
    this.#signal = signal;
    this.#health = createHealthKeeper(ctx, id);
  }

  offer(deliveryIds: readonly string[]): void {
    if (this.isHeld) return;
    for (const id of deliveryIds) if (this.#queue.size < maxQueue) this.#queue.add(id);
    if (this.#queue.size === 0) return;
    this.#loop ??= this.#run().finally(() => {
      this.#loop = null;
    });
  }

  /** What was read of the endpoint does not hold any more. */
  forget(): void {
    this.#endpoint = null;
    this.#heldUntil = 0;
  }

  get isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Whether nothing has happened for a while: the lane can be let go. */
  get isIdle(): boolean {
    return this.#loop === null && this.#running.size === 0 && performance.now() - this.#usedAt > 10_000;
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.#queue.clear();
    await this.#loop;
    await Promise.all(this.#running);
    await this.#health.flush();
  }

  async #run(): Promise<void> {
    try {
      while (this.#queue.size > 0 && !this.#signal.aborted) await this.#step();
    } catch (error) {
      // The store is away: the deliveries stay due, and the sweep offers them again.
      this.#queue.clear();
      this.#ctx.log.warn({ webhook: this.#id, err: error }, 'deliveries paused: database not available');
    }
  }

  async #step(): Promise<void> {
    const endpoint = await this.#load();
    if (!endpoint || endpoint.held) {
      if (!endpoint) await this.#ctx.stores.deliveries.cancelOf(this.#id);
      this.#queue.clear();
      this.#heldUntil = performance.now() + heldMs;
      return;
    }
    if (this.#running.size >= (isOpen(endpoint) ? 1 : concurrency)) {
      await Promise.race(this.#running);
      return;
    }
    const waitMs = this.#gate(endpoint);
    if (waitMs > 0) {
      await pause(Math.min(waitMs, freshMs), this.#signal);
      return;
    }
    const [id] = this.#queue;
    if (id === undefined) return;
    this.#queue.delete(id);
    const work = this.#attempt(endpoint, id).finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** How long the endpoint's own limits want us to wait, ms; 0 lets one attempt through. */
  #gate(endpoint: Endpoint): number {
    const now = performance.now();
    const closedMs = circuitWaitMs(endpoint, now, this.#ctx.config.WEBHOOKS_RETRY_SCALE);
    if (closedMs > 0) return closedMs;
    const bucket = this.#bucket ?? fullBucket(endpoint.rateLimit, now);
    const taken = takeToken(bucket, endpoint.rateLimit, now);
    this.#bucket = taken.bucket;
    return taken.waitMs;
  }

  async #load(): Promise<Endpoint | null> {
    const now = performance.now();
    if (this.#endpoint && now < this.#endpoint.until) return this.#endpoint.value;
    const value = await loadEndpoint(this.#ctx, this.#id);
    this.#endpoint = value && { value, until: now + freshMs };
    return value;
  }

  async #attempt(endpoint: Endpoint, id: string): Promise<void> {
    this.#usedAt = performance.now();
    try {
      const done = await attemptDelivery(this.#ctx, endpoint, id);
      if (!done) return;
      const current = this.#endpoint?.value ?? endpoint; // It may have been read again meanwhile.
      const wasHealthy = current.failures === 0;
      current.failures = done.error === null ? 0 : current.failures + 1;
      current.lastFailureMs = done.error === null ? null : performance.now();
      await this.#health.record(done, wasHealthy);
      if (done.status === 410) this.forget();
    } catch (error) {
      // The claim's lease runs out, and the delivery is attempted again.
      this.#ctx.log.warn({ delivery: id, err: error }, 'attempt not completed');
    }
  }
}
