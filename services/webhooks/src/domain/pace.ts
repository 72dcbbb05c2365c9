import { circuitWaitMs, isOpen } from './circuit.ts';
import { concurrencyOf, observedLatency } from './concurrency.ts';
import { type Bucket, fullBucket, takeToken } from './token-bucket.ts';

/** Unsent deliveries of an endpoint that this process claims ahead, as time at the full rate, ms. */
const aheadMs = 1_000;
const maxAhead = 1_000;

export type EndpointHealth = {
  /** Failed attempts since the last success. */
  failures: number;
  /** On the monotonic clock of this process, ms. */
  lastFailureMs: number | null;
  hasSucceeded: boolean;
};

/** How many attempts an endpoint gets, and when. Times are on the monotonic clock of this process. */
export class Pace {
  readonly #scale: number;
  #bucket: Bucket | null = null;
  #latencyMs: number | null = null;
  #failures = 0;
  #hasSucceeded = false;
  #lastFailureMs: number | null = null;

  constructor(scale: number) {
    this.#scale = scale;
  }

  get isHealthy(): boolean {
    return this.#failures === 0;
  }

  /** The last attempt succeeded; false if there was none. */
  get hasSucceeded(): boolean {
    return this.#hasSucceeded;
  }

  get isOpen(): boolean {
    return isOpen({ failures: this.#failures, lastFailureMs: this.#lastFailureMs });
  }

  /** The state that the database knows, with the failures of other replicas. */
  restore({ failures, lastFailureMs, hasSucceeded }: EndpointHealth): void {
    this.#failures = failures;
    this.#lastFailureMs = lastFailureMs;
    this.#hasSucceeded = hasSucceeded;
  }

  record({ isSuccess, ms, now }: { isSuccess: boolean; ms: number; now: number }): void {
    const failures = isSuccess ? 0 : this.#failures + 1;
    this.restore({ failures, lastFailureMs: isSuccess ? null : now, hasSucceeded: isSuccess });
    if (isSuccess) this.#latencyMs = observedLatency(this.#latencyMs, ms);
  }

  concurrency(rateLimit: number): number {
    return this.isOpen ? 1 : concurrencyOf(rateLimit, this.#latencyMs);
  }

  /** Deliveries that are claimed together if the endpoint answers. */
  claimsAhead(rateLimit: number): number {
    const ahead = Math.min(maxAhead, Math.ceil((rateLimit * aheadMs) / 1_000));
    return Math.max(this.concurrency(rateLimit), ahead);
  }

  /** Time until circuit and rate limit allow an attempt, ms. 0 takes a token. */
  takePermit(rateLimit: number, now: number): number {
    const circuitMs = this.circuitMs(now);
    if (circuitMs > 0) return circuitMs;
    const taken = takeToken(this.#bucket ?? fullBucket(rateLimit, now), rateLimit, now);
    this.#bucket = taken.bucket;
    return taken.waitMs;
  }

  circuitMs(now: number): number {
    const health = { failures: this.#failures, lastFailureMs: this.#lastFailureMs };
    return circuitWaitMs(health, now, this.#scale);
  }
}
