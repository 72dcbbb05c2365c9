import type { Body } from '@casewatch/contracts';
import { type Answer, faultsError, networkOf, siteOf } from '@casewatch/platform';
import { queueAddressRequest } from '../../changes/queue-address-request.ts';
import type { Context } from '../../context.ts';
import { faultsOfNewUser } from '../../domain/check-user-body.ts';
import { toEmailLower } from '../../domain/user.ts';
import { takeLimits } from '../../limits/take-limits.ts';

const hourMs = 60 * 60 * 1000;
const perAddress = { max: 5, windowMs: hourMs };
/** An IPv6 /48 has 65,536 networks. */
const perSite = { max: 25, windowMs: hourMs };
const perEmail = { max: 3, windowMs: 24 * hourMs };

/**
 * A sign-up with the direct service. The address is looked up later (address-requests.ts), so the answer and its time are the
 * same for every address.
 * @throws ApiError validation_failed, rate_limited
 */
export async function signUp(
  ctx: Context,
  body: Body<'create_user'>,
  address: string,
): Promise<Answer<'create_user'>> {
  const faults = faultsOfNewUser(body);
  if (faults.length > 0) throw faultsError(faults);
  await takeLimits(
    ctx,
    [
      { name: 'sign-up-address', subject: networkOf(address), limit: perAddress },
      { name: 'sign-up-site', subject: siteOf(address), limit: perSite },
      { name: 'sign-up-email', subject: toEmailLower(body.email), limit: perEmail },
    ],
    'Too many sign-ups; try again after Retry-After seconds.',
  );
  await queueAddressRequest(ctx, {
    kind: 'sign_up',
    email: body.email,
    language: body.preferred_language ?? 'en',
    notify_by_email: body.notify_by_email ?? true,
  });
  return {
    status: 202,
    body: {
      success: true,
      message: 'We have sent an e-mail with the next step to this address.',
      verification_required: true,
      user: null,
    },
  };
}
