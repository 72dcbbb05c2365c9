type Attempt = { at: string; status: number | null; ms: number; error: string | null };
export type Delivery = { id: string; status: string; created_at: string; attempts: Attempt[] };

/** The attempts of slow deliveries with their times and results. A killed attempt is not among them; it shows as a gap. */
export function timelinesOf(deliveries: readonly Delivery[], slowMs: number): string[] {
  return deliveries.flatMap((delivery) => {
    const createdMs = Date.parse(delivery.created_at);
    const ends = delivery.attempts.map(({ at, ms }) => Date.parse(at) + ms - createdMs);
    if (delivery.status === 'delivered' && Math.max(0, ...ends) < slowMs) return [];
    const attempts = delivery.attempts.map(
      ({ at, status, ms, error }) => `+${Date.parse(at) - createdMs} ms: ${error ?? status} in ${ms} ms`,
    );
    return [
      `delivery created ${delivery.created_at}, ${delivery.status}; ${attempts.join('; ') || 'no attempt'}`,
    ];
  });
}
