import { type Operation, type OperationName, routesInOrder } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysOfPartner } from '../support/identity-answers.ts';
import { beginSlowRequest } from '../support/slow-request.ts';
import { startTestGateway } from '../support/start-gateway.ts';

type Row = Operation & { name: OperationName };
type Visit = { path: string; method: string; headers: Record<string, string> };
type Refusal = { status: number; limit: string | null };

const rows = routesInOrder();
const rowsWithBody = rows.filter((row) => row.body);
const named = (list: readonly Row[]) => list.map((row) => [row.name, row] as const);

describe('a request that is refused counts, whatever the reason', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let visits = 0;
  beforeAll(async () => {
    gateway = await startTestGateway((behind) => ({ NOTIFIER_URL: behind, TRUSTED_HOPS: '1' }));
  });
  afterAll(async () => {
    await gateway.stop();
  });

  /** A request that the row lets in, of a caller that did nothing yet. */
  function visitOf(row: Row): Visit {
    visits += 1;
    const path = row.path.replaceAll(/\{[a-z_]+\}/g, '8');
    const headers = {
      'x-forwarded-for': `198.51.${visits >> 8}.${visits & 255}`,
      ...Object.fromEntries((row.signatureHeaders ?? []).map((name) => [name, 'c2lnbmVk'])),
      'content-type': row.consumes?.[0] ?? 'application/json',
    };
    const { method } = row;
    if (row.who.includes('partner'))
      return { path, method, headers: { ...headers, ...keysOfPartner(visits) } };
    if (!row.who.includes('user')) return { path, method, headers };
    const authorization = `Bearer ${gateway.identity.token({ sub: String(visits), sid: `s${visits}` })}`;
    return { path, method, headers: { ...headers, authorization } };
  }

  async function ask({ path, method, headers }: Visit, body?: string): Promise<Refusal> {
    const response = await fetch(gateway.url + path, { method, headers, ...(body && { body }) });
    return { status: response.status, limit: response.headers.get('ratelimit') };
  }

  const remaining = ({ limit }: Refusal) => Number(/r=(\d+)/.exec(limit ?? '')?.[1]);

  /** What the caller has left after a request that the service accepts; callbacks answer 204. */
  async function left(visit: Visit): Promise<number> {
    Object.assign(gateway.answer, { status: 204, body: '' });
    return remaining(await ask(visit));
  }

  async function expectCounted(row: Row, status: number, refuse: (visit: Visit) => Promise<Refusal>) {
    const visit = visitOf(row);
    const before = await left(visit);
    const refusal = await refuse(visit);
    expect([row.name, refusal.status]).toEqual([row.name, status]);
    // A callback counts when it is known how it ended.
    const isCallback = row.path.startsWith('/v1/callbacks/');
    if (!isCallback) expect(remaining(refusal)).toBe(before - 1);
    else await waitFor(async () => (await left(visit)) === before - 1, { what: `the count of ${row.name}` });
  }

  describe.each([400, 401, 413, 415])('with %i by the service:', (status) => {
    it.each(named(rows))('%s', (_name, row) =>
      expectCounted(row, status, (visit) => {
        Object.assign(gateway.answer, { status, body: '{"code":"any"}' });
        return ask(visit);
      }),
    );
  });

  it.each(named(rowsWithBody))('with 413 for its size: %s', (_name, row) =>
    expectCounted(row, 413, (visit) => ask(visit, 'x'.repeat((row.maxBodyBytes ?? 16_384) + 1_000))),
  );

  it('with 408 for a body that does not come', async () => {
    await Promise.all(
      rowsWithBody.map((row) =>
        expectCounted(row, 408, async (visit) => {
          const { port } = gateway;
          const slow = await beginSlowRequest({ port, ...visit });
          return await slow.answer;
        }),
      ),
    );
  });
});
