import type { OperationName } from '@casewatch/contracts';
import type { Recipes } from '../exchange.ts';
import type { World } from '../world.ts';
import { noId, userWithCase } from './shared.ts';

const path = '/v1/webhooks';
const notPublic = { url: 'https://10.0.0.1/casewatch', events: ['*'] };
const most = 20;

export const webhookRecipes = {
  list_webhooks: {
    success: async (world) => {
      await newWebhook(world);
      return { as: world.partner, path: `${path}?limit=1` };
    },
    errors: {},
  },
  create_webhook: {
    success: (world) => ({ as: world.partner, path, body: endpoint(world) }),
    errors: {
      webhook_url_not_allowed: (world) => ({ as: world.partner, path, body: notPublic }),
      webhook_limit_reached: async (world) => {
        for (let made = 0; made < most; made += 1)
          await world.call('POST', { as: world.other, path, body: endpoint(world) });
        return { as: world.other, path, body: endpoint(world) };
      },
    },
  },
  get_webhook: {
    success: async (world) => ({ as: world.partner, path: `${path}/${await newWebhook(world)}` }),
    errors: { webhook_not_found: (world) => ({ as: world.partner, path: `${path}/${noId}` }) },
  },
  update_webhook: {
    success: async (world) => ({
      as: world.partner,
      path: `${path}/${await newWebhook(world)}`,
      body: { active: false },
    }),
    errors: {
      webhook_url_not_allowed: async (world) => ({
        as: world.partner,
        path: `${path}/${await newWebhook(world)}`,
        body: { url: notPublic.url },
      }),
      webhook_not_found: (world) => ({ as: world.partner, path: `${path}/${noId}`, body: { active: false } }),
    },
  },
  delete_webhook: {
    success: async (world) => ({ as: world.partner, path: `${path}/${await newWebhook(world)}` }),
    errors: { webhook_not_found: (world) => ({ as: world.partner, path: `${path}/${noId}` }) },
  },
  list_deliveries: {
    success: async (world) => {
      const id = await newWebhook(world, ['case.created']);
      await userWithCase(world);
      const asked = { as: world.partner, path: `${path}/${id}/deliveries` };
      await world.until('A delivery', async () => {
        const body = await world.look(asked);
        return (body.deliveries as { status: string }[]).some(({ status }) => status === 'delivered');
      });
      return asked;
    },
    errors: {
      webhook_not_found: (world) => ({ as: world.partner, path: `${path}/${noId}/deliveries` }),
    },
  },
} satisfies Partial<Recipes<OperationName>>;

function endpoint({ dev }: World, events = ['case.status_updated', 'case.deleted']) {
  return { url: `${dev.receiver_url}/hooks/examples`, events, description: 'Production' };
}

async function newWebhook(world: World, events?: string[]): Promise<number> {
  const { webhook } = await world.call('POST', { as: world.partner, path, body: endpoint(world, events) });
  return (webhook as { id: number }).id;
}
