/** Attempts of this process in flight; a quarter is reserved for endpoints whose last attempt succeeded (webhooks.md, Fast). */
const cap = 1_000;
const capOfOthers = cap * 0.75;

export type Waiting = { readonly hasSucceeded: boolean; pump(): void };

export class InFlight {
  readonly #succeeding = new Set<Waiting>();
  readonly #others = new Set<Waiting>();
  #count = 0;

  /** False if there is no room; then the queue is pumped when there is. */
  begin(queue: Waiting): boolean {
    const { hasSucceeded } = queue;
    if (this.#room(hasSucceeded) > 0) {
      this.#count += 1;
      return true;
    }
    (hasSucceeded ? this.#succeeding : this.#others).add(queue);
    return false;
  }

  /** Wakes one queue: more would read their endpoints for nothing. */
  end(): void {
    this.#count -= 1;
    this.#wake(1);
  }

  /** Wakes a queue for each free place. A queue that `end` has woken may have had nothing to send. */
  wakeAll(): void {
    this.#wake(cap);
  }

  #room(hasSucceeded: boolean): number {
    return (hasSucceeded ? cap : capOfOthers) - this.#count;
  }

  #wake(most: number): void {
    const woken = take(this.#succeeding, Math.min(most, this.#room(true)));
    woken.push(...take(this.#others, Math.min(most, this.#room(false)) - woken.length));
    for (const queue of woken) queue.pump();
  }
}

function take(queues: Set<Waiting>, count: number): Waiting[] {
  const taken: Waiting[] = [];
  for (const queue of queues) {
    if (taken.length >= count) break;
    queues.delete(queue);
    taken.push(queue);
  }
  return taken;
}
