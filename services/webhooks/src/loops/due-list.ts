import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import { dueOfOneLook, type Sending } from './sending.ts';

/** Due deliveries in memory by their ids; the list looks for the others in the database. */
const maxDue = 1_000;
const epoch = new Date(0);

/** The due deliveries of one endpoint that have no claim yet. */
export class DueList {
  readonly #sending: Sending;
  readonly #webhookId: number;
  readonly #ids = new Set<string>();
  /** Ids whose claim is on the way. */
  readonly #claiming = new Set<string>();
  #isLooking = false;
  /** Deliveries that became due since then may be in the database only; null if all are in memory. */
  #behindFrom: Date | null = null;

  constructor(sending: Sending, webhookId: number) {
    this.#sending = sending;
    this.#webhookId = webhookId;
  }

  /** There is nothing to claim, in memory or in the database. */
  get isEmpty(): boolean {
    return this.#ids.size === 0 && this.#behindFrom === null;
  }

  get size(): number {
    return this.#ids.size;
  }

  get claiming(): number {
    return this.#claiming.size;
  }

  add(ids: readonly string[]): void {
    const free = maxDue - this.#ids.size;
    for (const id of ids.slice(0, free)) if (!this.#claiming.has(id)) this.#ids.add(id);
    if (ids.length > free) this.isBehind(this.#sending.dueTime.lowWater());
  }

  /** The database may have deliveries that became due after `from`. */
  isBehind(from: Date = epoch): void {
    if (this.#behindFrom === null || this.#behindFrom > from) this.#behindFrom = from;
  }

  forget(): void {
    this.#ids.clear();
    this.#behindFrom = null;
  }

  /** Reads due deliveries from the database, if there may be some and memory has room. False if it read nothing. */
  async look(): Promise<boolean> {
    const from = this.#behindFrom;
    const hasEnough = this.#ids.size >= maxDue - dueOfOneLook;
    if (from === null || hasEnough || this.#isLooking) return false;
    this.#isLooking = true;
    this.#behindFrom = null;
    try {
      const rows = await this.#sending.findDue({ webhookId: this.#webhookId, from });
      const last = rows.length === dueOfOneLook ? rows.at(-1) : undefined;
      if (last) this.isBehind(last.due_at);
      this.add(rows.map(({ _id }) => _id));
      return rows.length > 0;
    } catch (error) {
      this.isBehind(from);
      throw error;
    } finally {
      this.#isLooking = false;
    }
  }

  /** Claims up to `count` deliveries, and passes each one whose claim succeeds to `hold`. */
  async claim(count: number, hold: (delivery: ClaimedDelivery) => void): Promise<void> {
    const ids = [...this.#ids].slice(0, count);
    for (const id of ids) {
      this.#ids.delete(id);
      this.#claiming.add(id);
    }
    try {
      for (const delivery of await Promise.all(ids.map((id) => this.#sending.claim(id))))
        if (delivery) hold(delivery);
    } finally {
      for (const id of ids) this.#claiming.delete(id);
    }
  }
}
