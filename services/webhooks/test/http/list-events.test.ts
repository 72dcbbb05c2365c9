import type { WebhookEvent } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';

/** An event is listed from this age on, ms. */
const settledAfterMs = 7_000;
const intervalMs = 250;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Deletions need no answer of another service. */
async function deleteUser(partnerId: number, userId: number): Promise<string> {
  const data = { user_id: userId, partner_id: partnerId, version: 2 };
  return `evt_${await world.siblings.identity.publish('user.deleted', data)}`;
}

/** Every page that a test asks for has settled events only. */
async function list(partnerId: number, query = '') {
  const { status, body } = await world.service.call(partnerId, 'GET', `/v1/events${query}`);
  const ages = body.events?.map(({ timestamp }) => Date.now() - Date.parse(timestamp)) ?? [];
  expect(ages.filter((age) => age < settledAfterMs)).toEqual([]);
  return { status, ...body, events: body.events ?? [], next_cursor: body.next_cursor ?? '' };
}

const idsOf = (events: WebhookEvent[]) => events.map(({ id }) => id);

/** Follows the cursor until there are this many events. */
async function poll(partnerId: number, count: number, cursor = ''): Promise<string[][]> {
  const pages: string[][] = [];
  let next = cursor;
  await waitFor(
    async () => {
      const page = await list(partnerId, `?limit=2${next === '' ? '' : `&cursor=${next}`}`);
      next = page.next_cursor;
      pages.push(idsOf(page.events));
      return pages.flat().length >= count;
    },
    { timeoutMs: 30_000, intervalMs, what: `${count} events` },
  );
  return [...pages, [next]];
}

describe('GET /v1/events', () => {
  it('200: returns each event once, with the bytes that endpoints get, and continues after the last page', async () => {
    await world.subscribe(1, 'polled');
    const first = [];
    for (const userId of [101, 102, 103]) first.push(await deleteUser(1, userId));
    const calls = await world.arrived('polled', 3);
    const pages = await poll(1, 3);
    // Events that arrive together are stored together, in any order.
    expect(pages.slice(0, -1).flat().toSorted()).toEqual(first.toSorted());
    const { events } = await list(1);
    expect(events.map((event) => JSON.stringify(event)).sort()).toEqual(calls.map(({ body }) => body).sort());
    const cursor = pages.at(-1)?.[0] ?? '';
    const next = await list(1, `?cursor=${cursor}`);
    expect([next.status, next.events, next.has_more]).toEqual([200, [], false]);
    const later = await deleteUser(1, 104);
    expect((await poll(1, 1, next.next_cursor)).slice(0, -1).flat()).toEqual([later]);
  });

  it('200: filters by type, family and time', async () => {
    const userId = 201;
    const event = await deleteUser(2, userId);
    await waitFor(async () => (await list(2)).events.length > 0, {
      timeoutMs: 20_000,
      intervalMs,
      what: 'the event',
    });
    expect(idsOf((await list(2, '?type=user.deleted')).events)).toEqual([event]);
    expect(idsOf((await list(2, '?type=user.*')).events)).toEqual([event]);
    expect(await list(2, '?type=case.*')).toMatchObject({ events: [], has_more: false });
    expect((await list(2, `?since=${new Date(Date.now() + 60_000).toISOString()}`)).events).toEqual([]);
    expect((await list(3)).events).toEqual([]);
  });

  it('200: filters by user, in pages, and keeps the cursors of lists without the filter', async () => {
    const before = await list(6);
    const events: string[] = [];
    for (const userId of [601, 602, 603]) events.push(await deleteUser(6, userId));
    await poll(6, 3);
    const ofOne = await list(6, '?user_id=602&limit=1');
    expect([idsOf(ofOne.events), ofOne.has_more]).toEqual([[events[1]], false]);
    expect(idsOf((await list(6, `?user_id=602&cursor=${ofOne.next_cursor}`)).events)).toEqual([]);
    expect(await list(6, '?user_id=604')).toMatchObject({ events: [], has_more: false });
    // Of another partner: as if there were none.
    expect((await list(7, '?user_id=602')).events).toEqual([]);
    expect((await list(6, `?cursor=${ofOne.next_cursor}`)).code).toBe('invalid_cursor');
    expect(idsOf((await list(6, `?cursor=${before.next_cursor}`)).events).toSorted()).toEqual(
      events.toSorted(),
    );
    expect((await list(6, '?user_id=x')).code).toBe('invalid_parameter');
  });

  it('200: with sort=-at the newest first, in pages, to the oldest', async () => {
    const made: string[] = [];
    for (const userId of [501, 502, 503]) {
      made.push(await deleteUser(5, userId));
      // In the order in which they were taken in, not in that of their ids.
      await waitFor(async () => (await list(5, '?limit=100')).events.length === made.length, {
        timeoutMs: 20_000,
        intervalMs,
        what: 'the event',
      });
    }
    const pages: string[][] = [];
    for (let next = '', more = true; more; ) {
      const page = await list(5, `?sort=-at&limit=2${next && `&cursor=${next}`}`);
      pages.push(idsOf(page.events));
      [next, more] = [page.next_cursor, page.has_more ?? false];
    }
    expect(pages).toEqual([made.slice(1).reverse(), made.slice(0, 1)]);
    expect(idsOf((await list(5, '?limit=2')).events)).toEqual(made.slice(0, 2));
    const { next_cursor } = await list(5, '?sort=-at&limit=2');
    expect((await list(5, `?cursor=${next_cursor}`)).code).toBe('invalid_cursor');
    expect((await list(5, '?sort=type')).code).toBe('invalid_parameter');
  });

  it('400: a cursor of another partner or another type', async () => {
    const { next_cursor } = await list(2);
    expect((await list(3, `?cursor=${next_cursor}`)).code).toBe('invalid_cursor');
    expect((await list(2, `?cursor=${next_cursor}&type=case.*`)).code).toBe('invalid_cursor');
  });
});

describe('GET /v1/webhooks/event-types', () => {
  it('200: describes every type', async () => {
    const { status, body } = await world.service.call(4, 'GET', '/v1/webhooks/event-types');
    expect(status).toBe(200);
    expect(body.event_types?.map(({ name }) => name)).toContain('case.status_updated');
    expect(body.event_types).toHaveLength(15);
  });
});
