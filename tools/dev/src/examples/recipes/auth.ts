import type { OperationName } from '@casewatch/contracts';
import type { Recipes } from '../exchange.ts';
import type { World } from '../world.ts';
import { suspendedByOperator } from './shared.ts';

const path = '/v1/auth/token';
const wrongCode = '000000';

export const authRecipes = {
  request_login_code: {
    success: async (world) => ({
      path: '/v1/auth/login-code',
      body: { email: (await world.verifiedUser()).email },
    }),
    errors: {},
  },
  verify_login_code: {
    success: async (world) => ({
      path: '/v1/auth/login-code/verify',
      body: await world.loginCode((await world.verifiedUser()).email),
    }),
    errors: {
      invalid_login_code: async (world) => ({
        path: '/v1/auth/login-code/verify',
        body: await wrongGuess(world),
      }),
      too_many_login_attempts: async (world) => ({
        path: '/v1/auth/login-code/verify',
        body: await guessedTooOften(world),
      }),
    },
  },
  issue_token: {
    success: async (world) => ({ path, body: await world.loginCode((await world.verifiedUser()).email) }),
    errors: {
      invalid_login_code: async (world) => ({ path, body: await wrongGuess(world) }),
      invalid_refresh_token: () => ({
        path,
        body: { grant_type: 'refresh_token', refresh_token: 'not-a-refresh-token' },
      }),
      refresh_token_reused: async (world) => {
        const { refreshToken } = await world.person();
        const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken };
        const second = await world.call('POST', { path, body: refresh });
        await world.call('POST', { path, body: { ...refresh, refresh_token: second.refresh_token } });
        return { path, body: refresh };
      },
      account_suspended: async (world) => {
        const user = await world.verifiedUser();
        const body = await world.loginCode(user.email);
        await suspendedByOperator(world, user.id);
        return { path, body };
      },
      user_selection_required: async (world) => {
        const { email, name } = await world.verifiedUser();
        await world.verifiedUser({ email, name }, world.other);
        return { path, body: await world.loginCode(email) };
      },
      too_many_login_attempts: async (world) => ({ path, body: await guessedTooOften(world) }),
    },
  },
  log_out: {
    success: async (world) => ({ as: (await world.person()).as, path: '/v1/auth/logout', body: {} }),
    errors: {},
  },
} satisfies Partial<Recipes<OperationName>>;

async function wrongGuess(world: World) {
  const asked = await world.loginCode((await world.verifiedUser()).email);
  return { ...asked, code: wrongCode };
}

async function guessedTooOften(world: World) {
  const guess = await wrongGuess(world);
  for (let tries = 0; tries < 5; tries += 1) await world.attempt('POST', { path, body: guess });
  return guess;
}
