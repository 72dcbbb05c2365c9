import type { OperationName } from '@casewatch/contracts';
import type { Recipes } from '../exchange.ts';
import type { World } from '../world.ts';
import { noId } from './shared.ts';

const path = '/v1/client/keys';

/** The other partner's keys: the first partner's own stay as they are. */
export const keyRecipes = {
  list_keys: {
    success: async (world) => {
      await twoKeys(world);
      return { as: world.other, path: `${path}?limit=2` };
    },
    errors: {},
  },
  create_key: {
    success: async (world) => {
      await onlyOneKey(world);
      return { as: world.other, path, body: { name: 'Web server', allowed_ips: ['127.0.0.0/8'] } };
    },
    errors: {
      key_limit_reached: async (world) => {
        await twoKeys(world);
        return { as: world.other, path, body: { name: 'Third server' } };
      },
    },
  },
  rotate_key: {
    success: async (world) => {
      await onlyOneKey(world);
      const id = await newKey(world);
      return { as: world.other, path: `${path}/${id}/rotate`, body: { overlap_seconds: 0 } };
    },
    errors: {
      key_not_found: (world) => ({ as: world.other, path: `${path}/${noId}/rotate`, body: {} }),
      key_limit_reached: async (world) => ({
        as: world.other,
        path: `${path}/${await twoKeys(world)}/rotate`,
        body: { overlap_seconds: 3_600 },
      }),
    },
  },
  revoke_key: {
    success: async (world) => ({ as: world.other, path: `${path}/${await twoKeys(world)}` }),
    errors: {
      key_not_found: (world) => ({ as: world.other, path: `${path}/${noId}` }),
      last_key: async (world) => ({ as: world.other, path: `${path}/${await onlyOneKey(world)}` }),
    },
  },
} satisfies Partial<Recipes<OperationName>>;

type Key = { id: number; api_key: string; revoked_at: string | null };

/** Revokes all live keys but the one that recipes call with; its id. */
async function onlyOneKey(world: World): Promise<number> {
  const { keys } = await world.call('GET', { as: world.other, path });
  const live = (keys as Key[]).filter(({ revoked_at }) => revoked_at === null);
  for (const { id, api_key } of live) {
    if (api_key !== world.other['x-api-key'])
      await world.call('DELETE', { as: world.other, path: `${path}/${id}` });
  }
  return live.find(({ api_key }) => api_key === world.other['x-api-key'])?.id ?? noId;
}

/** Both live; the id of the one that recipes do not call with. */
async function twoKeys(world: World): Promise<number> {
  await onlyOneKey(world);
  return await newKey(world);
}

async function newKey(world: World): Promise<number> {
  const { key } = await world.call('POST', { as: world.other, path, body: { name: 'Web server' } });
  return (key as Key).id;
}
