import type { Ask } from '@casewatch/driver';
import type { Make } from '../exchange.ts';
import type { World } from '../world.ts';
import { fillWithCases, newCase, noId } from './shared.ts';

type Person = { id: number; as: Record<string, string>; body: unknown };

/** What the creation of a case fails with, alike for partners and for people; `ask` says who asks how. */
export function creationErrors(ask: (world: World, person: Person) => Ask) {
  const by =
    (make: (world: World) => unknown): Make =>
    async (world) =>
      ask(world, { ...(await world.person()), body: await make(world) });
  return {
    invalid_receipt_number: by(() => newCase('EAC12')),
    uscis_access_not_acknowledged: by(async (world) => ({ receipt_number: await world.knownReceipt() })),
    receipt_number_rejected: by(() => newCase('XXX9999103403')),
    user_not_active: async (world: World) => {
      const { id, as } = await world.person();
      const body = { status: 'inactive' };
      await world.call('PUT', { as: world.partner, path: `/v1/client/users/${id}`, body });
      return ask(world, { id, as, body: newCase(await world.knownReceipt()) });
    },
    user_not_found: async (world: World) => {
      const { as } = await world.person();
      return ask(world, { id: noId, as, body: newCase(await world.knownReceipt()) });
    },
    case_already_monitored: async (world: World) => {
      const { id, as } = await world.person();
      const asked = ask(world, { id, as, body: newCase(await world.knownReceipt()) });
      await world.call('POST', asked);
      return asked;
    },
    case_limit_reached: async (world: World) => {
      const { id, as } = await world.person();
      await fillWithCases(world, id);
      return ask(world, { id, as, body: newCase(await world.knownReceipt()) });
    },
    uscis_unavailable: by(async (world) => newCase(await world.unanswered())),
  };
}
