import { Pace } from '../domain/pace.ts';
import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import { type AttemptResult, attemptDelivery } from './attempt.ts';
import type { Held } from './claim-keeper.ts';
import { DueList } from './due-list.ts';
import { EndpointReader } from './endpoint-reader.ts';
import { createHealthWriter } from './health-writer.ts';
import type { Endpoint } from './load-endpoint.ts';
import { ReadyList } from './ready-list.ts';
import type { Sending } from './sending.ts';
import { Slots } from './slots.ts';

const maxClaims = 128;
/** Pause of a disabled or suspended endpoint, ms. */
const heldMs = 2_000;
const idleMs = 60_000;
/** An endpoint whose attempt takes longer uses no reserved place, ms. */
const slowMs = 2_000;
const retryMs = 500;

/** An endpoint that hangs or fails delays only its own queue. A waiting delivery uses no attempt (webhooks.md). */
export class EndpointQueue {
  readonly #sending: Sending;
  readonly #id: number;
  readonly #pace: Pace;
  readonly #reader: EndpointReader;
  readonly #health;
  readonly #slots: Slots;
  readonly #due: DueList;
  readonly #ready: ReadyList;
  /** Start of each attempt; the first one is the oldest. */
  readonly #attempts = new Map<Held, number>();
  readonly #unfinished = new Set<Promise<void>>();
  #recorded: Promise<void> = Promise.resolve();
  #heldUntil = 0;
  #usedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(sending: Sending, id: number) {
    const { ctx } = sending;
    this.#sending = sending;
    this.#id = id;
    this.#pace = new Pace(ctx.config.WEBHOOKS_RETRY_SCALE);
    this.#reader = new EndpointReader(sending, id, this.#pace);
    this.#health = createHealthWriter(sending, id);
    this.#slots = new Slots(sending.inFlight, this);
    this.#due = new DueList(sending, id);
    this.#ready = new ReadyList(sending);
  }

  /** Deliveries that are due. */
  enqueue(deliveryIds: readonly string[]): void {
    if (this.#isHeld) this.#due.isBehind(this.#sending.dueTime.lowWater());
    else this.#due.add(deliveryIds);
    this.pump();
  }

  /** A delivery that this process has claimed. */
  push(delivery: ClaimedDelivery): void {
    this.#ready.push(delivery);
  }

  /** The endpoint was changed. */
  invalidate(): void {
    this.#reader.invalidate();
    this.#heldUntil = 0;
    this.#due.isBehind();
    this.look();
  }

  erase(userIds: readonly number[]): void {
    this.#ready.erase(userIds);
  }

  /** Loads due deliveries from the database; `from`: only those that became due after this time. */
  look(from?: Date): void {
    if (from) this.#due.isBehind(from);
    if (this.#isHeld) return;
    const look = async () => {
      if (await this.#due.look()) this.pump();
    };
    this.#run(look());
  }

  get hasSucceeded(): boolean {
    const [oldest = Number.POSITIVE_INFINITY] = this.#attempts.values();
    const isSlow = performance.now() - oldest > slowMs;
    return this.#pace.hasSucceeded && !isSlow;
  }

  get isIdle(): boolean {
    const isUnused = performance.now() - this.#usedAt > idleMs;
    return isUnused && this.#due.isEmpty && this.#ready.length + this.#unfinished.size === 0;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#due.forget();
    await this.#ready.giveBack();
    await Promise.all(this.#unfinished);
    // Claims that were on the way.
    await this.#ready.giveBack();
    await this.#recorded;
    await this.#health.flush();
  }

  /** Begins the attempts that may begin now, and claims what comes next. */
  pump(): void {
    const { stopping, ctx } = this.#sending;
    clearTimeout(this.#timer);
    if (stopping.aborted) return;
    const endpoint = this.#reader.current();
    let places = 0;
    if (endpoint === 'unknown') this.#run(this.#load());
    else if (endpoint === null || endpoint.held) this.#hold(endpoint === null);
    else places = this.#send(endpoint);
    ctx.admission.set(this.#id, places);
  }

  get #isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  /** Returns the number of new deliveries that intake may claim. */
  #send(endpoint: Endpoint): number {
    if (this.#pace.isOpen && this.#ready.length > 1) this.#run(this.#giveBack());
    while (this.#ready.length > 0 && this.#attempts.size < this.#pace.concurrency(endpoint.rateLimit))
      if (!this.#begin(endpoint)) break;
    const places = this.#places(endpoint);
    if (this.#due.isEmpty) return this.hasSucceeded ? places : 0;
    this.#claim(places);
    this.look();
    return 0;
  }

  /** False if circuit, rate limit or the process's limit allow no attempt now. */
  #begin(endpoint: Endpoint): boolean {
    if (!this.#slots.begin()) return false;
    const waitMs = this.#pace.takePermit(endpoint.rateLimit, performance.now());
    const next = waitMs === 0 ? this.#ready.shift() : undefined;
    if (next) this.#run(this.#attempt(endpoint, next));
    else this.#slots.end();
    if (waitMs > 0) this.#pumpIn(waitMs);
    return next !== undefined;
  }

  #places({ rateLimit }: Endpoint): number {
    const isAhead = this.hasSucceeded && this.#sending.keeper.hasRoom;
    const limit = isAhead ? this.#pace.claimsAhead(rateLimit) : this.#pace.concurrency(rateLimit);
    return limit - this.#ready.length - this.#attempts.size - this.#due.claiming;
  }

  async #attempt(endpoint: Endpoint, held: Held): Promise<void> {
    const { ctx, settler } = this.#sending;
    this.#usedAt = performance.now();
    this.#attempts.set(held, this.#usedAt);
    try {
      const result = await attemptDelivery(ctx, settler, { endpoint, held });
      if (result) this.#record(result);
    } finally {
      this.#attempts.delete(held);
      this.#slots.end();
      this.pump();
    }
  }

  #record(result: AttemptResult): void {
    const wasHealthy = this.#pace.isHealthy;
    const { error, ms, status } = result;
    this.#pace.record({ isSuccess: error === null, ms, now: performance.now() });
    // In order, so that an older failure never follows a success.
    this.#recorded = this.#recorded
      .then(() => this.#health.record(result, wasHealthy))
      .catch((error: unknown) => this.#warn(error, 'webhook endpoint state not stored'))
      .then(() => (status === 410 ? this.invalidate() : undefined));
  }

  async #load(): Promise<void> {
    if (await this.#reader.load(this.#recorded)) this.pump();
  }

  #claim(places: number): void {
    const circuitMs = this.#pace.circuitMs(performance.now());
    const isWorking = this.#attempts.size + this.#due.claiming > 0;
    if (circuitMs > 0) this.#pumpIn(circuitMs);
    else if (places <= 0 && !isWorking) this.#pumpIn(retryMs);
    // Half of the places at least, so that claims are made in batches. What is ready pumps again.
    if (circuitMs > 0 || places <= 0 || this.#due.size === 0 || places < this.#ready.length) return;
    const wanted = Math.min(places, maxClaims, this.#due.size);
    // Endpoints that may hang claim only what they can send now.
    const count = this.hasSucceeded ? wanted : this.#slots.reserve(wanted);
    if (count === 0) return;
    const claim = async () => {
      try {
        await this.#due.claim(count, (delivery) => this.push(delivery));
        this.pump();
      } finally {
        this.#slots.release();
      }
    };
    this.#run(claim());
  }

  /** Stops sending for a while: the endpoint is disabled, suspended or deleted. */
  #hold(isDeleted: boolean): void {
    if (this.#isHeld && this.#ready.length === 0) return;
    this.#heldUntil = performance.now() + heldMs;
    this.#due.forget();
    if (!isDeleted) this.#due.isBehind();
    this.#run(isDeleted ? this.#cancel() : this.#giveBack());
  }

  async #cancel(): Promise<void> {
    this.#ready.release();
    await this.#sending.ctx.stores.deliveries.cancelOf(this.#id);
  }

  async #giveBack(): Promise<void> {
    if (await this.#ready.giveBack()) this.#due.isBehind(this.#sending.dueTime.lowWater());
  }

  #pumpIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.pump(), ms);
  }

  /** A failed step leaves the deliveries due, and the sweep finds them again. */
  #run(step: Promise<void>): void {
    const finished = step
      .catch((error: unknown) => {
        this.#due.forget();
        this.#due.isBehind();
        this.#pumpIn(retryMs);
        this.#warn(error, 'deliveries paused: database not available');
      })
      .finally(() => this.#unfinished.delete(finished));
    this.#unfinished.add(finished);
  }

  #warn(error: unknown, text: string): void {
    this.#sending.ctx.log.warn({ webhook: this.#id, err: error }, text);
  }
}
