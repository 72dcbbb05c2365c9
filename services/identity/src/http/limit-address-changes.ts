import type { Context } from '../context.ts';
import { takeLimits } from '../limits/take-limits.ts';

/** Of one user, by the person and the partner together (interface.md §4, update user). */
const perUser = { max: 3, windowMs: 24 * 60 * 60 * 1000 };

/** @throws ApiError rate_limited */
export async function limitAddressChanges(ctx: Context, userId: number): Promise<void> {
  await takeLimits(
    ctx,
    [{ name: 'address-change', about: String(userId), limit: perUser }],
    'The e-mail address of a user can be changed three times a day; try again after Retry-After seconds.',
  );
}
