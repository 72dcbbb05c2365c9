import type { OperationName } from '@casewatch/contracts';
import type { Ask } from '@casewatch/driver';
import type { Recipes } from '../exchange.ts';
import type { World } from '../world.ts';
import { creationErrors } from './creation-errors.ts';
import { fillWithCases, newCase, noId, userWithCase } from './shared.ts';

const check = '/v1/check';

export const caseRecipes = {
  create_partner_case: {
    success: async (world) => asPartner(world, await newcomer(world)),
    errors: creationErrors((world, { id, body }) => asPartner(world, { id, body })),
  },
  create_case: {
    success: async (world) => asThemselves(await newcomer(world)),
    errors: creationErrors((_world, person) => asThemselves(person)),
  },
  update_case: {
    success: async (world) => {
      const { user, caseId } = await userWithCase(world);
      return change(world, user.id, caseId, { active: false });
    },
    errors: {
      user_not_active: async (world) => {
        const { user, caseId } = await userWithCase(world);
        await world.call('PUT', change(world, user.id, caseId, { active: false }));
        const body = { status: 'inactive' };
        await world.call('PUT', { as: world.partner, path: `/v1/client/users/${user.id}`, body });
        return change(world, user.id, caseId, { active: true });
      },
      case_not_found: async (world) => change(world, (await world.newUser()).id, noId, { active: false }),
      case_already_monitored: async (world) => {
        const { user, caseId, receipt } = await userWithCase(world);
        await world.call('PUT', change(world, user.id, caseId, { active: false }));
        await world.call('POST', asPartner(world, { id: user.id, body: newCase(receipt) }));
        return change(world, user.id, caseId, { active: true });
      },
      case_limit_reached: async (world) => {
        const { user, caseId } = await userWithCase(world);
        await world.call('PUT', change(world, user.id, caseId, { active: false }));
        await fillWithCases(world, user.id);
        return change(world, user.id, caseId, { active: true });
      },
    },
  },
  delete_case: {
    success: async (world) => {
      const { user, caseId } = await userWithCase(world);
      return { as: user.as, path: `/v1/users/${user.id}/cases/${caseId}` };
    },
    errors: {
      case_not_found: async (world) => {
        const { as, id } = await world.person();
        return { as, path: `/v1/users/${id}/cases/${noId}` };
      },
    },
  },
  list_partner_cases: {
    success: async (world) => {
      const { user } = await userWithCase(world);
      return { as: world.partner, path: `/v1/client/cases?user_id=${user.id}` };
    },
    errors: {},
  },
  list_cases: {
    success: async (world) => {
      const { user } = await userWithCase(world);
      return { as: user.as, path: `/v1/users/${user.id}/cases` };
    },
    errors: {
      user_not_found: (world) => ({ as: world.partner, path: `/v1/users/${noId}/cases` }),
    },
  },
  get_partner_case: {
    success: async (world) => ({
      as: world.partner,
      path: `/v1/client/cases/${(await toldOfChange(world)).caseId}`,
    }),
    errors: { case_not_found: (world) => ({ as: world.partner, path: `/v1/client/cases/${noId}` }) },
  },
  get_case: {
    success: async (world) => {
      const { user, caseId } = await toldOfChange(world);
      return { as: user.as, path: `/v1/users/${user.id}/cases/${caseId}` };
    },
    errors: {
      case_not_found: async (world) => {
        const { as, id } = await world.person();
        return { as, path: `/v1/users/${id}/cases/${noId}` };
      },
    },
  },
  check: {
    success: async (world) => ({
      as: world.partner,
      path: check,
      body: { receipt_number: await world.knownReceipt() },
    }),
    errors: {
      invalid_receipt_number: (world) => ({
        as: world.partner,
        path: check,
        body: { receipt_number: 'EAC12' },
      }),
      receipt_number_rejected: (world) => ({
        as: world.partner,
        path: check,
        body: { receipt_number: 'XXX9999103403' },
      }),
      status_not_available: (world) => ({
        as: world.partner,
        path: check,
        body: { receipt_number: world.unknownReceipt() },
      }),
      uscis_unavailable: async (world) => ({
        as: world.partner,
        path: check,
        body: { receipt_number: await world.unanswered() },
      }),
    },
  },
} satisfies Partial<Recipes<OperationName>>;

type Person = { id: number; as: Record<string, string>; body: unknown };

async function newcomer(world: World): Promise<Person> {
  const { id, as } = await world.person();
  return { id, as, body: newCase(await world.knownReceipt(), { description: 'I-130 of the family' }) };
}

function asPartner(world: World, { id, body }: { id: number; body: unknown }): Ask {
  return { as: world.partner, path: `/v1/client/users/${id}/cases`, body };
}

function asThemselves({ id, as, body }: Person): Ask {
  return { as, path: `/v1/users/${id}/cases`, body };
}

function change(world: World, userId: number, caseId: number, body: unknown): Ask {
  return { as: world.partner, path: `/v1/users/${userId}/cases/${caseId}`, body };
}

/** A case whose second status was told by mail and by WhatsApp. */
async function toldOfChange(world: World) {
  const made = await userWithCase(world, { notify_by_whatsapp: true });
  await world.changeStatus(made.receipt);
  await world.until('The notices of a change', async () => {
    const body = await world.look({ as: world.partner, path: `/v1/client/cases/${made.caseId}` });
    const [update] = body.status_updates as Record<string, unknown>[];
    return (
      body.update_count === 2 &&
      update?.email_notify_status === 'sent' &&
      update.whatsapp_notify_status === 'delivered'
    );
  });
  return made;
}
