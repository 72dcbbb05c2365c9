import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import type { Held } from './claim-keeper.ts';
import type { Sending } from './sending.ts';

/** Claimed deliveries of one endpoint that wait for their attempts. */
export class ReadyList {
  readonly #sending: Sending;
  #held: Held[] = [];

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  get length(): number {
    return this.#held.length;
  }

  push(delivery: ClaimedDelivery): void {
    this.#held.push(this.#sending.keeper.hold(delivery));
  }

  /** The next delivery whose claim is not lost. */
  shift(): Held | undefined {
    for (let next = this.#held.shift(); next; next = this.#held.shift())
      if (!next.lost.signal.aborted) return next;
    return undefined;
  }

  erase(userIds: readonly number[]): void {
    for (const { delivery, lost } of this.#held)
      if (delivery.user_id !== null && userIds.includes(delivery.user_id)) lost.abort();
  }

  release(): Held[] {
    const released = this.#held.splice(0);
    for (const held of released) this.#sending.keeper.release(held);
    return released;
  }

  /** Ends the claims: the deliveries are due again. False if there were none. */
  async giveBack(): Promise<boolean> {
    const released = this.release();
    const deliveries = released.filter(({ lost }) => !lost.signal.aborted).map(({ delivery }) => delivery);
    if (deliveries.length > 0) await this.#sending.ctx.stores.deliveries.giveBack(deliveries);
    return deliveries.length > 0;
  }
}
