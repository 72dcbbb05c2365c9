/** Attempts of this process in flight; a quarter is reserved for endpoints whose last attempt succeeded (webhooks.md, Fast). */
const cap = 1_000;
const capOfOthers = cap * 0.75;

type Waiting = { readonly hasSucceeded: boolean; pump(): void };

export class InFlight {
  readonly #succeeding = new Set<Waiting>();
  readonly #others = new Set<Waiting>();
  #count = 0;

  /** False if there is no room; then the queue is pumped when there is. */
  begin(queue: Waiting): boolean {
    const { hasSucceeded } = queue;
    if (this.#hasRoom(hasSucceeded)) {
      this.#count += 1;
      return true;
    }
    (hasSucceeded ? this.#succeeding : this.#others).add(queue);
    return false;
  }

  end(): void {
    this.#count -= 1;
    this.#wake(this.#succeeding, true);
    this.#wake(this.#others, false);
  }

  #hasRoom(hasSucceeded: boolean): boolean {
    return this.#count < (hasSucceeded ? cap : capOfOthers);
  }

  #wake(queues: Set<Waiting>, hasSucceeded: boolean): void {
    for (const queue of queues) {
      if (!this.#hasRoom(hasSucceeded)) return;
      queues.delete(queue);
      queue.pump();
    }
  }
}
