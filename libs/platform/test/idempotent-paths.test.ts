import { operations } from '@casewatch/contracts';
import { createLogger } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import type { Call } from '../src/http/handler.ts';
import type { Route } from '../src/http/routes.ts';
import { runOnce } from '../src/http/run-once.ts';
import type { Idempotency } from '../src/store/idempotency.ts';

/** The path that a key is bound to, for the parameters and the address of a call. */
async function pathOf(name: keyof typeof operations, url: string, params: object): Promise<string> {
  const row = { ...operations[name], name } as Route;
  let path = '';
  const idempotency = {
    async startAttempt(claim: { path: string }) {
      path = claim.path;
      return { replay: { status: 201, headers: {}, body: {} } };
    },
  } as unknown as Idempotency;
  const call = {
    caller: { kind: 'partner', partner_id: 1, key_id: '1', scopes: [] },
    ...{ url, params, query: {}, body: {}, bytes: Buffer.alloc(0), header: () => 'my-key' },
  } as unknown as Call<typeof name>;
  const log = createLogger('webhooks', 'silent');
  await runOnce({ row, idempotency, log }, call as never, () => Promise.reject(new Error('not replayed')));
  return path;
}

describe('an idempotency key is bound to one path', () => {
  it.each(['/v1/webhooks', '/v1/webhooks/', '/v1/webhooks?x=1', '/v1/webhooks/?x=1'])(
    'however it is written: %s',
    async (url) => {
      expect(await pathOf('create_webhook', url, {})).toBe('/v1/webhooks');
    },
  );

  it.each(['/v1/client/users/8/cases', '/v1/client/users/%38/cases', '/v1/client/users/8/cases/'])(
    'with a parameter: %s',
    async (url) => {
      expect(await pathOf('create_partner_case', url, { user_id: 8 })).toBe('/v1/client/users/8/cases');
    },
  );

  it('and another object has another path', async () => {
    expect(await pathOf('create_partner_case', '/v1/client/users/9/cases', { user_id: 9 })).toBe(
      '/v1/client/users/9/cases',
    );
  });
});

it('a call that is refused does not wait for a database that is away, and would free its key', async () => {
  const attempt = { release: () => new Promise<void>(() => undefined) };
  const idempotency = { startAttempt: async () => ({ attempt }) } as unknown as Idempotency;
  const call = {
    caller: { kind: 'partner', partner_id: 1, key_id: '1', scopes: [] },
    ...{
      url: '/v1/webhooks',
      params: {},
      query: {},
      body: {},
      bytes: Buffer.alloc(0),
      header: () => 'my-key',
    },
  };
  const row = { ...operations.create_webhook, name: 'create_webhook' } as Route;
  const log = createLogger('webhooks', 'silent');
  const refusal = new Error('identity is away');
  await expect(runOnce({ row, idempotency, log }, call as never, () => Promise.reject(refusal))).rejects.toBe(
    refusal,
  );
});
