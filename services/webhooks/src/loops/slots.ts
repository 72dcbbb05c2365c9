import type { InFlight, Waiting } from './in-flight.ts';

/** The share of one queue in the attempts of this process. */
export class Slots {
  readonly #inFlight: InFlight;
  readonly #queue: Waiting;
  /** For deliveries whose claim is on the way. */
  #reserved = 0;

  constructor(inFlight: InFlight, queue: Waiting) {
    this.#inFlight = inFlight;
    this.#queue = queue;
  }

  /** False if there is no room; then the queue is pumped when there is. */
  begin(): boolean {
    if (this.#reserved === 0) return this.#inFlight.begin(this.#queue);
    this.#reserved -= 1;
    return true;
  }

  end(): void {
    this.#inFlight.end();
  }

  /** Returns the number of reserved places, up to `count`. */
  reserve(count: number): number {
    while (this.#reserved < count && this.#inFlight.begin(this.#queue)) this.#reserved += 1;
    return this.#reserved;
  }

  /** Frees the reserved places that were not used. */
  release(): void {
    for (; this.#reserved > 0; this.#reserved--) this.#inFlight.end();
  }
}
