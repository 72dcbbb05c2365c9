import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { merged } from '../../tools/cluster/src/backup/erased-users.ts';
import { runMongoshScript, type Snapshot } from '../support/mongosh.ts';

const script = readFileSync(join(import.meta.dirname, '../../deploy/erased-users.js'), 'utf8');
const erased_at = '2026-10-01T10:00:00.000Z';
const at = new Date(erased_at);
const erasure = (user_id: number, partner_id: number | null = null) => ({ user_id, partner_id, erased_at });
const listed = (databases: Snapshot) =>
  (JSON.parse(runMongoshScript(script, databases)) as { user_id: number }[]).toSorted(
    (a, b) => a.user_id - b.user_id,
  );

describe('the list of erased people of deploy/erased-users.js', () => {
  const outbox = [
    { type: 'erasure.recorded', body: JSON.stringify({ data: erasure(7, 3) }) },
    { type: 'user.deleted', body: JSON.stringify({ data: { user_id: 99, partner_id: 3, version: 2 } }) },
  ];

  it('has the record of identity, which names the partner, before the ids of the others', () => {
    const databases = {
      webhooks: { erased_users: [{ _id: 7, erased_at: at }] },
      identity: { outbox, erased_users: [{ _id: 7, erased_at: at }] },
      another: { webhooks: [{ _id: 5, erased_at: at }] },
    };
    expect(listed(databases)).toEqual([erasure(7, 3)]);
  });

  it.each<[string, Snapshot]>([
    ['monitor or webhooks', { one: { erased_users: [{ _id: 7, erased_at: at }] } }],
    ['notifier', { two: { tombstones: [{ _id: 7, deleted_at: at }] } }],
    [
      'cases, but nobody who is active',
      {
        three: {
          user_states: [
            { _id: 7, deleted: true, erased_at: at },
            { _id: 8, deleted: false },
            { _id: 9, erased_at: null },
          ],
        },
      },
    ],
  ])('has the ids of %s where the database of identity is lost', (_service, databases) => {
    expect(listed(databases)).toEqual([erasure(7)]);
  });

  it('is empty where nobody was erased', () => {
    expect(listed({ identity: { outbox: [], erased_users: [] }, cases: {} })).toEqual([]);
  });
});

it('lists of several backups become one, which names the partner where one of them does', () => {
  expect(merged([erasure(7), erasure(8), erasure(7, 3), erasure(8)])).toEqual([erasure(7, 3), erasure(8)]);
  expect(merged([erasure(7, 3), erasure(7)])).toEqual([erasure(7, 3)]);
});
