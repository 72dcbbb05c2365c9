import type { OperationName } from '@casewatch/contracts';
import type { Ask } from '@casewatch/driver';
import type { Recipes } from '../exchange.ts';
import type { World } from '../world.ts';
import { noId, optedOut, suspendedByOperator } from './shared.ts';

const own = '/v1/users';
const partners = '/v1/client/users';
const resend = `${own}/resend-verification`;
const resendAsPartner = `${partners}/resend-verification`;
const nobody = { email: 'nobody.known@example.com' };

export const userRecipes = {
  list_users: {
    success: async (world) => ({ as: (await world.person()).as, path: own }),
    errors: {},
  },
  list_partner_users: {
    success: async (world) => {
      const { email } = await world.verifiedUser();
      return { as: world.partner, path: `${partners}?email=${encodeURIComponent(email)}` };
    },
    errors: {},
  },
  create_user: {
    success: (world) => ({ as: world.partner, path: own, body: world.nextPerson() }),
    toAnonymous: (world) => ({ path: own, body: world.nextPerson() }),
    errors: {
      email_already_exists: async (world) => ({ as: world.partner, path: own, body: await taken(world) }),
    },
  },
  create_partner_user: {
    success: (world) => ({ as: world.partner, path: partners, body: world.nextPerson() }),
    errors: {
      email_already_exists: async (world) => ({
        as: world.partner,
        path: partners,
        body: await taken(world),
      }),
    },
  },
  get_user: {
    success: async (world) => {
      const { id, as } = await world.person();
      return { as, path: `${own}/${id}` };
    },
    errors: { user_not_found: (world) => ({ as: world.partner, path: `${own}/${noId}` }) },
  },
  get_partner_user: {
    success: async (world) => ({ as: world.partner, path: `${partners}/${(await world.verifiedUser()).id}` }),
    errors: { user_not_found: (world) => ({ as: world.partner, path: `${partners}/${noId}` }) },
  },
  update_user: {
    success: async (world) => {
      const { id, as } = await world.person();
      return { as, path: `${own}/${id}`, body: { notify_by_whatsapp: true } };
    },
    errors: {
      ...updateErrors(own),
      reauthentication_required: async (world) => {
        const { id, as } = await world.personLongSignedIn();
        return { as, path: `${own}/${id}`, body: { email: world.nextPerson().email } };
      },
    },
  },
  update_partner_user: {
    success: async (world) => ({
      as: world.partner,
      path: `${partners}/${(await world.verifiedUser()).id}`,
      body: { name: 'Ana Maria Silva', preferred_language: 'en' },
    }),
    errors: updateErrors(partners),
  },
  resend_verification: {
    success: async (world) => ({ as: world.partner, path: resend, body: await unverified(world) }),
    errors: { user_not_found: (world) => ({ as: world.partner, path: resend, body: nobody }) },
  },
  resend_partner_verification: {
    success: async (world) => ({ as: world.partner, path: resendAsPartner, body: await unverified(world) }),
    errors: { user_not_found: (world) => ({ as: world.partner, path: resendAsPartner, body: nobody }) },
  },
  delete_user: {
    success: async (world) => {
      const { id, as } = await world.person();
      return { as, path: `${own}/${id}` };
    },
    errors: {
      reauthentication_required: async (world) => {
        const { id, as } = await world.personLongSignedIn();
        return { as, path: `${own}/${id}` };
      },
      user_not_found: async (world) => ({ as: (await world.person()).as, path: `${own}/${noId}` }),
    },
  },
  delete_partner_user: {
    success: async (world) => ({ as: world.partner, path: `${partners}/${(await world.newUser()).id}` }),
    errors: { user_not_found: (world) => ({ as: world.partner, path: `${partners}/${noId}` }) },
  },
} satisfies Partial<Recipes<OperationName>>;

async function taken(world: World) {
  const { id: _, ...person } = await world.newUser();
  return person;
}

async function unverified(world: World) {
  return { email: (await world.newUser()).email };
}

/** What a partner's update of a user fails with, at either address. */
function updateErrors(base: string) {
  const change = (world: World, id: number, body: unknown): Ask => ({
    as: world.partner,
    path: `${base}/${id}`,
    body,
  });
  return {
    account_suspended: async (world: World) => {
      const { id } = await world.verifiedUser();
      await suspendedByOperator(world, id);
      return change(world, id, { status: 'active' });
    },
    user_not_found: (world: World) => change(world, noId, { name: 'Nobody' }),
    email_already_exists: async (world: World) => {
      const { email } = await world.newUser();
      return change(world, (await world.newUser()).id, { email });
    },
    opted_out_by_user: async (world: World) =>
      change(world, (await optedOut(world)).id, { notify_by_email: true }),
  };
}
