import type { InFlight, Waiting } from './in-flight.ts';

export class Slots {
  readonly #inFlight: InFlight;
  readonly #queue: Waiting;
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

  reserve(count: number): number {
    while (this.#reserved < count && this.#inFlight.begin(this.#queue)) this.#reserved += 1;
    return this.#reserved;
  }

  release(): void {
    for (; this.#reserved > 0; this.#reserved--) this.#inFlight.end();
  }
}
