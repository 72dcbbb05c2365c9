import { Pace } from '../domain/pace.ts';
import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import { type AttemptResult, attemptDelivery } from './attempt.ts';
import type { Held } from './claim-keeper.ts';
import { EndpointReader } from './endpoint-reader.ts';
import { createHealthWriter } from './health-writer.ts';
import type { Endpoint } from './load-endpoint.ts';
import type { Sending } from './sending.ts';

/** Due deliveries in memory by their ids; the queue looks for the others. */
const maxDue = 1_000;
const dueOfOneLook = 500;
const maxClaims = 128;
/** Pause of a disabled or suspended endpoint, ms. */
const heldMs = 2_000;
const idleMs = 60_000;
/** An endpoint whose attempt takes longer uses no reserved place, ms. */
const slowMs = 2_000;
const retryMs = 500;
const epoch = new Date(0);

/** An endpoint that hangs or fails delays only its own queue. A waiting delivery uses no attempt (webhooks.md). */
export class EndpointQueue {
  readonly #sending: Sending;
  readonly #id: number;
  readonly #pace: Pace;
  readonly #reader: EndpointReader;
  readonly #health;
  /** Due deliveries without a claim. */
  readonly #due = new Set<string>();
  /** Claimed deliveries that wait for an attempt. */
  #ready: Held[] = [];
  /** Start of each attempt; the first one is the oldest. */
  readonly #attempts = new Map<Held, number>();
  readonly #unfinished = new Set<Promise<void>>();
  #recorded: Promise<void> = Promise.resolve();
  /** Due deliveries whose claim is on the way. */
  readonly #claiming = new Set<string>();
  #isLoading = false;
  #isLooking = false;
  /** Deliveries that became due since then may be in the database only; null if all are in memory. */
  #behindFrom: Date | null = null;
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
  }

  /** Deliveries that are due. */
  enqueue(deliveryIds: readonly string[]): void {
    const free = this.#isHeld ? 0 : maxDue - this.#due.size;
    for (const id of deliveryIds.slice(0, free)) if (!this.#claiming.has(id)) this.#due.add(id);
    if (deliveryIds.length > free) this.isBehind(this.#sending.dueTime.lowWater());
    this.pump();
  }

  /** A delivery that this process has claimed. */
  push(delivery: ClaimedDelivery): void {
    this.#ready.push(this.#sending.keeper.hold(delivery));
  }

  /** The endpoint was changed. */
  invalidate(): void {
    this.#reader.invalidate();
    this.#heldUntil = 0;
    this.isBehind(epoch);
    this.#run(this.look());
  }

  erase(userIds: readonly number[]): void {
    for (const { delivery, lost } of this.#ready)
      if (delivery.user_id !== null && userIds.includes(delivery.user_id)) lost.abort();
  }

  /** The database may have deliveries that became due after `from`. */
  isBehind(from: Date): void {
    if (this.#behindFrom === null || this.#behindFrom > from) this.#behindFrom = from;
  }

  /** Looks for due deliveries in the database, if there may be some and memory has room. */
  async look(): Promise<void> {
    const from = this.#behindFrom;
    const hasEnough = this.#due.size >= maxDue - dueOfOneLook;
    if (from === null || hasEnough || this.#isLooking || this.#isHeld) return;
    this.#isLooking = true;
    this.#behindFrom = null;
    try {
      const { ctx, dueTime } = this.#sending;
      const time = { from, now: dueTime.now() };
      const rows = await ctx.stores.deliveries.dueOf(this.#id, time, dueOfOneLook);
      const last = rows.length === dueOfOneLook ? rows.at(-1) : undefined;
      if (last) this.isBehind(last.due_at);
      this.enqueue(rows.map(({ _id }) => _id));
    } catch (error) {
      this.isBehind(from);
      throw error;
    } finally {
      this.#isLooking = false;
    }
  }

  get hasSucceeded(): boolean {
    const [oldest = Number.POSITIVE_INFINITY] = this.#attempts.values();
    const isSlow = performance.now() - oldest > slowMs;
    return this.#pace.hasSucceeded && !isSlow;
  }

  get isIdle(): boolean {
    const waiting = this.#due.size + this.#ready.length + this.#unfinished.size + this.#claiming.size;
    return waiting === 0 && this.#behindFrom === null && performance.now() - this.#usedAt > idleMs;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#due.clear();
    await this.#giveBack();
    await Promise.all(this.#unfinished);
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
    if (endpoint === 'unknown') this.#load();
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
    if (this.#due.size === 0 && this.#behindFrom === null) return this.#pace.isOpen ? 0 : places;
    this.#claim(places);
    this.#run(this.look());
    return 0;
  }

  /** False if circuit, rate limit or the process's limit allow no attempt now. */
  #begin(endpoint: Endpoint): boolean {
    const { inFlight } = this.#sending;
    if (!inFlight.begin(this)) return false;
    const waitMs = this.#pace.takePermit(endpoint.rateLimit, performance.now());
    const next = waitMs === 0 ? this.#ready.shift() : undefined;
    if (next && !next.lost.signal.aborted) {
      this.#run(this.#attempt(endpoint, next));
      return true;
    }
    inFlight.end();
    if (waitMs > 0) this.#pumpIn(waitMs);
    return waitMs === 0;
  }

  #places({ rateLimit }: Endpoint): number {
    const { hasSucceeded } = this;
    if (!this.#sending.keeper.hasRoom(hasSucceeded)) return 0;
    const limit = hasSucceeded ? this.#pace.claimsAhead(rateLimit) : this.#pace.concurrency(rateLimit);
    return limit - this.#ready.length - this.#attempts.size - this.#claiming.size;
  }

  async #attempt(endpoint: Endpoint, held: Held): Promise<void> {
    const { ctx, settler, inFlight } = this.#sending;
    this.#usedAt = performance.now();
    this.#attempts.set(held, this.#usedAt);
    try {
      const result = await attemptDelivery(ctx, settler, { endpoint, held });
      if (result) this.#record(result);
    } finally {
      this.#attempts.delete(held);
      inFlight.end();
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
      .catch((error: unknown) =>
        this.#sending.ctx.log.warn(
          { webhook: this.#id, err: error },
          'state of a webhook endpoint not stored',
        ),
      )
      .then(() => (status === 410 ? this.invalidate() : undefined));
  }

  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const load = async () => {
      try {
        await this.#recorded;
        await this.#reader.load();
      } finally {
        this.#isLoading = false;
      }
      this.pump();
    };
    this.#run(load());
  }

  #claim(places: number): void {
    const circuitMs = this.#pace.circuitMs(performance.now());
    if (circuitMs > 0) this.#pumpIn(circuitMs);
    // Half of the places at least, so that claims are made in batches.
    if (circuitMs > 0 || places <= 0 || (places < this.#ready.length && this.#attempts.size > 0)) return;
    const ids = [...this.#due].slice(0, Math.min(places, maxClaims));
    for (const id of ids) {
      this.#due.delete(id);
      this.#claiming.add(id);
    }
    const claim = async () => {
      try {
        const claimed = await Promise.all(ids.map((id) => this.#sending.claim(id)));
        for (const delivery of claimed) if (delivery) this.push(delivery);
      } finally {
        for (const id of ids) this.#claiming.delete(id);
      }
      this.pump();
    };
    this.#run(claim());
  }

  /** Stops sending for a while: the endpoint is disabled, suspended or deleted. */
  #hold(isDeleted: boolean): void {
    if (this.#isHeld && this.#ready.length === 0) return;
    this.#heldUntil = performance.now() + heldMs;
    this.#due.clear();
    this.#behindFrom = isDeleted ? null : epoch;
    this.#run(isDeleted ? this.#cancel() : this.#giveBack());
  }

  async #cancel(): Promise<void> {
    for (const held of this.#ready.splice(0)) this.#sending.keeper.release(held);
    await this.#sending.ctx.stores.deliveries.cancelOf(this.#id);
  }

  async #giveBack(): Promise<void> {
    const held = this.#ready.splice(0);
    if (held.length === 0) return;
    const { ctx, keeper } = this.#sending;
    for (const claim of held) keeper.release(claim);
    await ctx.stores.deliveries.giveBack(held.map(({ delivery }) => delivery));
    this.isBehind(this.#sending.dueTime.lowWater());
  }

  #pumpIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.pump(), ms);
  }

  /** A failed step leaves the deliveries due, and the sweep finds them again. */
  #run(step: Promise<void>): void {
    const finished = step
      .catch((error: unknown) => {
        this.#due.clear();
        this.isBehind(epoch);
        this.#pumpIn(retryMs);
        this.#sending.ctx.log.warn(
          { webhook: this.#id, err: error },
          'deliveries paused: database not available',
        );
      })
      .finally(() => this.#unfinished.delete(finished));
    this.#unfinished.add(finished);
  }
}
