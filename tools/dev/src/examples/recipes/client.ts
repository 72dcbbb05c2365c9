import type { OperationName } from '@casewatch/contracts';
import type { Recipes } from '../exchange.ts';

export const clientRecipes = {
  get_profile: {
    success: (world) => ({ as: world.partner, path: '/v1/client/profile' }),
    errors: {},
  },
  update_logo: {
    success: (world) => ({
      as: world.partner,
      path: '/v1/client/logo',
      body: { logo_url: 'https://www.example.com/logo.png' },
    }),
    errors: {},
  },
} satisfies Partial<Recipes<OperationName>>;
