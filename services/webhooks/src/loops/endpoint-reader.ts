import type { Pace } from '../domain/pace.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { type Endpoint, endpointOf } from './load-endpoint.ts';
import type { Sending } from './sending.ts';

/** How old the state of an endpoint may be, ms. */
const freshMs = 1_000;

/** The current state of one endpoint, from what intake has just compared with the database, or by a read. */
export class EndpointReader {
  readonly #sending: Sending;
  readonly #id: number;
  readonly #pace: Pace;
  /** Null: deleted. */
  #endpoint: Endpoint | null = null;
  #row: WebhookRow | null = null;
  #wasSuspended = false;
  #freshUntil = 0;
  #isLoading = false;

  constructor(sending: Sending, id: number, pace: Pace) {
    this.#sending = sending;
    this.#id = id;
    this.#pace = pace;
  }

  current(): Endpoint | null | 'unknown' {
    if (performance.now() < this.#freshUntil) return this.#endpoint;
    // Intake does not read the failures that other replicas have recorded.
    if (!this.#pace.hasSucceeded) return 'unknown';
    const { ctx } = this.#sending;
    const recent = ctx.stores.subscriptions.recent(this.#id, freshMs);
    if (!recent) return 'unknown';
    const { row, isSuspended, checkedAt } = recent;
    if (row !== this.#row || isSuspended !== this.#wasSuspended)
      this.#endpoint = endpointOf(ctx, row, isSuspended);
    this.#row = row;
    this.#wasSuspended = isSuspended;
    this.#freshUntil = checkedAt + freshMs;
    return this.#endpoint;
  }

  /** Reads the endpoint when its failures are `recorded`. False if another call is reading it. */
  async load(recorded: Promise<void>): Promise<boolean> {
    if (this.#isLoading) return false;
    this.#isLoading = true;
    try {
      await recorded;
      const readAt = performance.now();
      const loaded = await this.#sending.readEndpoint(this.#id);
      this.#row = null;
      this.#endpoint = loaded?.endpoint ?? null;
      if (loaded) this.#pace.restore(loaded.health);
      this.#freshUntil = readAt + freshMs;
      return true;
    } finally {
      this.#isLoading = false;
    }
  }

  invalidate(): void {
    this.#freshUntil = 0;
    this.#row = null;
  }
}
