import { pause } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { circuitWaitMs, isOpen } from '../domain/circuit.ts';
import { type Bucket, fullBucket, takeToken } from '../domain/token-bucket.ts';
import { attemptDelivery } from './attempt.ts';
import { createHealthWriter } from './health-writer.ts';
import { type Endpoint, loadEndpoint } from './load-endpoint.ts';

/** Parallel attempts to one endpoint; a failing endpoint gets one. */
const concurrency = 8;
/** Deliveries in memory; the sweep finds the others. */
const maxQueue = 1_000;
const endpointCacheMs = 1_000;
/** Pause of a disabled or suspended endpoint, ms. */
const heldMs = 2_000;
const idleMs = 10_000;

/** An endpoint that hangs or fails delays only its own queue. A waiting delivery uses no attempt (webhooks.md). */
export class EndpointQueue {
  readonly #ctx: Context;
  readonly #id: number;
  readonly #signal: AbortSignal;
  readonly #queue = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #health;
  #loop: Promise<void> | null = null;
  #cached: { endpoint: Endpoint; until: number } | null = null;
  #bucket: Bucket | null = null;
  #heldUntil = 0;
  #usedAt = performance.now();

  constructor(ctx: Context, id: number, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#id = id;
    this.#signal = signal;
    this.#health = createHealthWriter(ctx, id);
  }

  enqueue(deliveryIds: readonly string[]): void {
    if (this.isHeld) return;
    for (const id of deliveryIds) if (this.#queue.size < maxQueue) this.#queue.add(id);
    if (this.#queue.size === 0) return;
    this.#loop ??= this.#run().finally(() => {
      this.#loop = null;
    });
  }

  invalidate(): void {
    this.#cached = null;
    this.#heldUntil = 0;
  }

  get isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  get length(): number {
    return this.#queue.size;
  }

  get isIdle(): boolean {
    return this.#loop === null && this.#running.size === 0 && performance.now() - this.#usedAt > idleMs;
  }

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
      // The deliveries stay due, and the sweep finds them again.
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
    const waitMs = this.#takePermit(endpoint);
    if (waitMs > 0) {
      await pause(Math.min(waitMs, endpointCacheMs), this.#signal);
      return;
    }
    const [id] = this.#queue;
    if (id === undefined) return;
    this.#queue.delete(id);
    const work = this.#attempt(endpoint, id).finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** Time until circuit and rate limit allow an attempt, ms. 0 takes a token. */
  #takePermit(endpoint: Endpoint): number {
    const now = performance.now();
    const circuitMs = circuitWaitMs(endpoint, now, this.#ctx.config.WEBHOOKS_RETRY_SCALE);
    if (circuitMs > 0) return circuitMs;
    const bucket = this.#bucket ?? fullBucket(endpoint.rateLimit, now);
    const taken = takeToken(bucket, endpoint.rateLimit, now);
    this.#bucket = taken.bucket;
    return taken.waitMs;
  }

  async #load(): Promise<Endpoint | null> {
    const now = performance.now();
    if (this.#cached && now < this.#cached.until) return this.#cached.endpoint;
    const endpoint = await loadEndpoint(this.#ctx, this.#id);
    this.#cached = endpoint && { endpoint, until: now + endpointCacheMs };
    return endpoint;
  }

  async #attempt(endpoint: Endpoint, id: string): Promise<void> {
    this.#usedAt = performance.now();
    try {
      const result = await attemptDelivery(this.#ctx, endpoint, id);
      if (!result) return;
      const current = this.#cached?.endpoint ?? endpoint;
      const wasHealthy = current.failures === 0;
      current.failures = result.error === null ? 0 : current.failures + 1;
      current.lastFailureMs = result.error === null ? null : performance.now();
      await this.#health.record(result, wasHealthy);
      if (result.status === 410) this.invalidate();
    } catch (error) {
      // Another attempt follows when the claim has ended.
      this.#ctx.log.warn({ delivery: id, err: error }, 'attempt not completed');
    }
  }
}
