import type { ErrorCode } from '@casewatch/contracts';
import type { Ask } from '@casewatch/driver';
import type { World } from '../world.ts';

type General = { method: string; make: (world: World) => Ask | Promise<Ask> };

const users = '/v1/client/users';

/** Errors that mean the same at every operation, each shown once. */
export const generalRecipes = {
  validation_failed: posted((world) => ({
    as: world.partner,
    path: users,
    body: { email: 'ana', nick: 'a' },
  })),
  malformed_json: posted((world) => ({
    as: world.partner,
    path: users,
    headers: { 'content-type': 'application/json' },
    raw: '{"email":',
  })),
  invalid_parameter: read((world) => ({ as: world.partner, path: `${users}?limit=101` })),
  unknown_parameter: read((world) => ({ as: world.partner, path: `${users}?page=2` })),
  invalid_cursor: read((world) => ({ as: world.partner, path: `${users}?cursor=not-a-cursor` })),
  empty_update: {
    method: 'PUT',
    make: async (world) => ({
      as: world.partner,
      path: `${users}/${(await world.newUser()).id}`,
      body: {},
    }),
  },
  missing_credentials: read(() => ({ path: users })),
  invalid_api_key: read((world) => ({ as: { ...world.partner, ...world.wrongSecret }, path: users })),
  invalid_token: read(() => ({ as: { authorization: 'Bearer not-a-token' }, path: '/v1/users' })),
  partner_keys_not_accepted: {
    method: 'DELETE',
    make: async (world) => ({ as: world.partner, path: `/v1/users/${(await world.newUser()).id}` }),
  },
  method_not_allowed: { method: 'PATCH', make: (world) => ({ as: world.partner, path: users }) },
  not_acceptable: read((world) => ({
    as: world.partner,
    path: users,
    headers: { accept: 'text/csv' },
  })),
  payload_too_large: posted((world) => ({
    as: world.partner,
    path: users,
    body: { name: 'x'.repeat(17_000) },
  })),
  unsupported_media_type: posted((world) => ({ as: world.partner, path: users, form: { name: 'Ana' } })),
  rate_limited: posted(async (world) => {
    const body = { email: (await world.newUser()).email };
    await world.until('The limit', async () => {
      const { status } = await world.attempt('POST', { path: '/v1/auth/login-code', body });
      return status === 429;
    });
    return { path: '/v1/auth/login-code', body };
  }),
} satisfies Partial<Record<ErrorCode, General>>;

function read(make: General['make']): General {
  return { method: 'GET', make };
}

function posted(make: General['make']): General {
  return { method: 'POST', make };
}
