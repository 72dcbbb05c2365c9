import type { Make } from '../exchange.ts';
import { unsubscribeLink, type World } from '../world.ts';

/** An id that nothing has. */
export const noId = 999_999_999;

/** A body that makes a case. */
export function newCase(receipt: string, more: Record<string, unknown> = {}) {
  return { receipt_number: receipt, uscis_access_acknowledged: true, ...more };
}

/** A user of the partner with a case, watched since its first check. */
export async function userWithCase(world: World, more: Record<string, unknown> = {}) {
  const user = await world.person(more);
  const receipt = await world.knownReceipt();
  const body = newCase(receipt, { description: 'I-130 of the family' });
  const made = await world.call('POST', {
    as: world.partner,
    path: `/v1/client/users/${user.id}/cases`,
    body,
  });
  const { id } = made.case as { id: number };
  await world.until('The watch of a case', async () => {
    const body = await world.look({ as: world.partner, path: `/v1/client/cases/${id}` });
    return (body.monitoring as { next_check_at: string | null }).next_check_at;
  });
  return { user, receipt, caseId: id };
}

/** A request with a token that leads nowhere. */
export function withoutToken(path: string): Make {
  return () => ({ path: `${path}?token=not-a-token` });
}

const atOnce = 5;

/** As many cases as one user may have active, none of them checked. */
export async function fillWithCases(world: World, userId: number, count = 50): Promise<void> {
  for (let made = 0; made < count; made += atOnce) {
    const bodies = Array.from({ length: atOnce }, () =>
      newCase(world.unknownReceipt(), { first_check: 'deferred' }),
    );
    const path = `/v1/client/users/${userId}/cases`;
    await Promise.all(bodies.map((body) => world.call('POST', { as: world.partner, path, body })));
  }
}

/** The operator suspends a user: their partner cannot lift it. */
export async function suspendedByOperator(world: World, userId: number): Promise<void> {
  await world.admin(['user', 'suspend', '--user', String(userId)]);
}

/** The link to unsubscribe in a mail that tells a person of a change. */
export async function unsubscribeToken(world: World) {
  const { user, receipt } = await userWithCase(world);
  await world.changeStatus(receipt);
  return { user, token: await world.inMail(user.email, unsubscribeLink) };
}

/** A user who opted out of mails by the link in one. */
export async function optedOut(world: World) {
  const { user, token } = await unsubscribeToken(world);
  const form = { 'List-Unsubscribe': 'One-Click' };
  await world.call('POST', { path: `/v1/unsubscribe?token=${token}`, form });
  await world.until('The end of the mails', async () => {
    const body = await world.look({ as: world.partner, path: `/v1/client/users/${user.id}` });
    return (body.user as { notify_by_email: boolean }).notify_by_email === false;
  });
  return user;
}
