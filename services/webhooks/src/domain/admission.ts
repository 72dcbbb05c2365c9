/**
 * Number of new deliveries that each endpoint's queue takes now. Intake claims these at their insert; the others are
 * stored as pending. A queue sets its number again whenever it changes.
 */
export class Admission {
  readonly #places = new Map<number, number>();
  #isClosed = false;

  set(webhookId: number, places: number): void {
    if (places > 0 && !this.#isClosed) this.#places.set(webhookId, places);
    else this.#places.delete(webhookId);
  }

  take(webhookId: number): boolean {
    const places = this.#places.get(webhookId) ?? 0;
    if (places > 0) this.#places.set(webhookId, places - 1);
    return places > 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#places.clear();
  }
}
