import type { OperationName } from '@casewatch/contracts';
import type { Recipes } from '../exchange.ts';
import { addressLinkRecipes } from './address-links.ts';
import { authRecipes } from './auth.ts';
import { callbackRecipes } from './callbacks.ts';
import { caseRecipes } from './cases.ts';
import { clientRecipes } from './client.ts';
import { keyRecipes } from './keys.ts';
import { serviceRecipes } from './service.ts';
import { userRecipes } from './users.ts';
import { webhookRecipes } from './webhooks.ts';

/** What every operation shows; one that is missing, or whose own error is, does not compile. */
export const recipes: Recipes<OperationName> = {
  ...authRecipes,
  ...userRecipes,
  ...addressLinkRecipes,
  ...caseRecipes,
  ...clientRecipes,
  ...keyRecipes,
  ...webhookRecipes,
  ...callbackRecipes,
  ...serviceRecipes,
};
