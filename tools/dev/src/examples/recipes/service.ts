import type { OperationName } from '@casewatch/contracts';
import type { Recipes } from '../exchange.ts';

const path = '/v1/status';

export const serviceRecipes = {
  get_status: {
    success: async (world) => {
      await world.until('The first count of what is watched', async () => {
        const body = await world.look({ path });
        return body.freshness !== null && body.capacity !== null;
      });
      return { path };
    },
    errors: {},
  },
} satisfies Partial<Recipes<OperationName>>;
