type Attempt = { at: string; status: number | null; ms: number; error: string | null };
export type Delivery = { id: string; status: string; created_at: string; attempts: Attempt[] };

/**
 * Where the time went of deliveries that were slow: when each attempt began after the delivery was made, and what came of
 * it. An attempt whose process was killed is not among them; it shows as a gap.
 */
export function storiesOf(deliveries: readonly Delivery[], slowMs: number): string[] {
  return deliveries.flatMap((delivery) => {
    const made = Date.parse(delivery.created_at);
    const ends = delivery.attempts.map(({ at, ms }) => Date.parse(at) + ms - made);
    if (delivery.status === 'delivered' && Math.max(0, ...ends) < slowMs) return [];
    const attempts = delivery.attempts.map(
      ({ at, status, ms, error }) => `+${Date.parse(at) - made} ms: ${error ?? status} in ${ms} ms`,
    );
    return [
      `delivery made ${delivery.created_at}, ${delivery.status}; ${attempts.join('; ') || 'no attempt'}`,
    ];
  });
}
