import type { OperationName } from '@casewatch/contracts';
import type { Recipes } from '../exchange.ts';
import { undoLink, verificationLink, type World } from '../world.ts';
import { withoutToken } from './shared.ts';

const verify = '/v1/users/verify-email';
const undo = '/v1/users/undo-email-change';

export const addressLinkRecipes = {
  verify_email_link: {
    success: async (world) => ({ path: `${verify}?token=${await verificationToken(world)}` }),
    errors: { invalid_verification_token: withoutToken(verify) },
  },
  verify_email_button: {
    success: async (world) => ({ path: verify, body: { token: await verificationToken(world) } }),
    errors: { invalid_verification_token: () => ({ path: verify, body: { token: 'not-a-token' } }) },
  },
  undo_email_change_page: {
    success: async (world) => ({ path: `${undo}?token=${(await changedAddress(world)).token}` }),
    errors: { invalid_verification_token: withoutToken(undo) },
  },
  undo_email_change: {
    success: async (world) => ({ path: undo, body: { token: (await changedAddress(world)).token } }),
    errors: {
      invalid_verification_token: () => ({ path: undo, body: { token: 'not-a-token' } }),
      email_already_exists: async (world) => {
        const { oldEmail, token } = await changedAddress(world);
        await world.newUser({ email: oldEmail });
        return { path: undo, body: { token } };
      },
    },
  },
} satisfies Partial<Recipes<OperationName>>;

async function verificationToken(world: World): Promise<string> {
  return await world.inMail((await world.newUser()).email, verificationLink);
}

/** A user whose partner gave them another address: the old one gets a link that undoes it. */
async function changedAddress(world: World) {
  const { id, email } = await world.verifiedUser();
  const body = { email: world.nextPerson().email };
  await world.call('PUT', { as: world.partner, path: `/v1/client/users/${id}`, body });
  return { oldEmail: email, token: await world.inMail(email, undoLink) };
}
