import { createHmac } from 'node:crypto';
import type { OperationName } from '@casewatch/contracts';
import type { Recipes } from '../exchange.ts';
import { unsubscribeToken, withoutToken } from './shared.ts';

const twilio = '/v1/callbacks/twilio';
const form = { MessageSid: 'SM00000000000000000000000000000001', MessageStatus: 'delivered' };
const unsubscribe = '/v1/unsubscribe';
const oneClick = { 'List-Unsubscribe': 'One-Click' };

export const callbackRecipes = {
  twilio_callback: {
    success: ({ dev, env }) => {
      // Twilio's rule: the address, then every field's name and value in alphabetical order.
      const fields = Object.entries(form).sort().flat().join('');
      const signature = createHmac('sha1', env.notifier.TWILIO_AUTH_TOKEN ?? '')
        .update(`${dev.gateway_url}${twilio}${fields}`)
        .digest('base64');
      return { path: twilio, form, headers: { 'x-twilio-signature': signature } };
    },
    errors: { invalid_signature: () => ({ path: twilio, form }) },
  },
  unsubscribe_page: {
    success: async (world) => ({ path: `${unsubscribe}?token=${(await unsubscribeToken(world)).token}` }),
    errors: { invalid_verification_token: withoutToken(unsubscribe) },
  },
  unsubscribe: {
    success: async (world) => ({
      path: `${unsubscribe}?token=${(await unsubscribeToken(world)).token}`,
      form: oneClick,
    }),
    errors: {
      invalid_verification_token: () => ({ path: `${unsubscribe}?token=not-a-token`, form: oneClick }),
    },
  },
} satisfies Partial<Recipes<OperationName>>;
