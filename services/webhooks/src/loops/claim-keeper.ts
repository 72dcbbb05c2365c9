import type { Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { leaseMs } from '../domain/lease.ts';
import type { ClaimedDelivery } from '../store/delivery-claims.ts';

const renewMs = 2_000;
const tickMs = 250;
/** Claims in one update: the oldest are confirmed first. */
const renewedTogether = 500;
/** Claims of this process, with the bodies that they keep in memory. */
const maxClaims = 2_000;
const maxBytes = 64 * 2 ** 20;

/** A claimed delivery. `lost` aborts when another replica may own the claim. */
export type Held = { delivery: ClaimedDelivery; lost: AbortController; confirmedAt: number };

/**
 * Renews the claims of this process with one timer. Times are measured from before each renewal, so this process stops before
 * another one begins (ADR 0025).
 */
export class ClaimKeeper implements Running {
  readonly #ctx: Context;
  readonly #held = new Map<string, Held>();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #bytes = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Whether deliveries may be claimed that wait for their attempts. */
  get hasRoom(): boolean {
    return this.#held.size < maxClaims && this.#bytes < maxBytes;
  }

  hold(delivery: ClaimedDelivery): Held {
    const held = { delivery, lost: new AbortController(), confirmedAt: delivery.claimedAt };
    this.#held.set(delivery._id, held);
    this.#bytes += delivery.event?.body.length ?? 0;
    this.#timer ??= setInterval(() => this.#tick(), tickMs);
    return held;
  }

  release(held: Held): void {
    const { delivery } = held;
    if (!this.#isHeld(held)) return;
    this.#held.delete(delivery._id);
    this.#bytes -= delivery.event?.body.length ?? 0;
  }

  async stop(): Promise<void> {
    this.#stopTimer();
    await this.#renewing;
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Without claims, no timer wakes the process. */
  #tick(): void {
    this.#expire();
    if (this.#held.size === 0) this.#stopTimer();
    else
      this.#renewing ??= this.#renew()
        .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'delivery claims not renewed'))
        .finally(() => {
          this.#renewing = undefined;
        });
  }

  #isHeld(held: Held): boolean {
    return this.#held.get(held.delivery._id) === held;
  }

  #lose(held: Held): void {
    held.lost.abort();
    this.release(held);
  }

  #expire(): void {
    const now = performance.now() + tickMs;
    for (const held of this.#held.values()) if (held.confirmedAt + leaseMs < now) this.#lose(held);
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    const due = [...this.#held.values()].filter(({ confirmedAt }) => confirmedAt + renewMs <= now);
    due.sort((a, b) => a.confirmedAt - b.confirmedAt);
    for (let i = 0; i < due.length; i += renewedTogether)
      await this.#renewAll(due.slice(i, i + renewedTogether).filter((held) => this.#isHeld(held)));
  }

  async #renewAll(due: readonly Held[]): Promise<void> {
    if (due.length === 0) return;
    const sentAt = performance.now();
    const lost = new Set(
      await this.#ctx.stores.deliveries.renewAll(
        due.map(({ delivery }) => delivery),
        leaseMs,
      ),
    );
    for (const held of due) {
      // Released claims are settled, not lost.
      if (lost.has(held.delivery._id) && this.#isHeld(held)) this.#lose(held);
      else held.confirmedAt = sentAt;
    }
  }
}
