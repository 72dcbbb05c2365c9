import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transaction } from '@casewatch/platform/database';
import { openContext } from '../../test/support/open-context.ts';
import type { Context } from '../context.ts';
import type { ImportCounts, ImportItem, ImportRow } from '../store/imports.ts';

describe('the rows of an import', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
  });
  afterAll(async () => await stop());

  const rows = 10_000;
  const now = new Date();
  const row: ImportRow = {
    _id: 1,
    partner_id: 1,
    state: 'running',
    dry_run: false,
    send_verification: false,
    actor: { key_id: 'key-1', staff_id: null, address: '203.0.113.7' },
    rows,
    counts: null,
    created_at: now,
    finished_at: null,
    tried_at: null,
  };
  const item = (at: number): ImportItem => ({
    _id: `1:${at}`,
    import_id: 1,
    row: at,
    person: `person ${at}`,
    outcome: 'waiting',
    code: null,
    message: null,
    user_id: null,
    case_id: null,
    payload: 'sealed',
    begun: false,
    done_case: null,
    expires_at: null,
  });

  it('are counted as of one moment while they are imported: all of them, and progress never goes back', async () => {
    const { imports } = ctx.stores;
    const items = Array.from({ length: rows }, (_, i) => item(i + 1));
    await transaction(ctx.db, (session) => imports.insert(session, row, items));
    const outcomes = ['created', 'updated', 'unchanged', 'refused'] as const;
    let isDone = false;
    const importAll = async () => {
      const ids = { code: null, message: null, user_id: null, case_id: null };
      for (let at = 0; at < rows; at += 20) {
        const results = items.slice(at, at + 20).map(({ _id: id }, i) => ({
          id,
          result: { ...ids, outcome: outcomes[(at + i) % 4] ?? 'created' },
        }));
        await imports.finish(results);
      }
      isDone = true;
    };
    const reader = async () => {
      const seen: ImportCounts[] = [];
      while (!isDone) seen.push(await imports.countsOf(row));
      return seen;
    };
    const [, ...readers] = await Promise.all([importAll(), reader(), reader(), reader()]);
    for (const seen of readers) {
      expect(seen.length).toBeGreaterThan(20);
      expect(seen.filter((counts) => counts.rows !== rows)).toEqual([]);
      for (const outcome of outcomes) {
        const shown = seen.map((counts) => counts[outcome]);
        expect(shown).toEqual(shown.toSorted((one, other) => one - other));
      }
    }
    const quarter = rows / 4;
    const ended = {
      rows,
      waiting: 0,
      created: quarter,
      updated: quarter,
      unchanged: quarter,
      refused: quarter,
    };
    expect(await imports.countsOf(row)).toEqual(ended);
  });

  it('stay as they were counted once the import is over, whoever is late', async () => {
    const { imports } = ctx.stores;
    const cancelled: ImportRow = { ...row, _id: 2, rows: 3, state: 'cancelled' };
    const late = [1, 2, 3].map((at) => ({ ...item(at), _id: `2:${at}`, import_id: 2 }));
    const ids = late.map(({ _id }) => _id);
    await transaction(ctx.db, (session) => imports.insert(session, cancelled, late));
    await imports.expireRows(2);
    const counts = await transaction(ctx.db, (session) => imports.settle(session, cancelled, now));
    expect(counts).toMatchObject({ rows: 3, waiting: 3 });
    // A runner that lost its lease.
    const ofCase = { user_id: 1, case_id: 1 };
    const result = { code: null, message: null, outcome: 'created' as const, ...ofCase };
    const [first = '', second = '', third = ''] = ids;
    await imports.finish([{ id: first, result }]);
    expect(await imports.noteBegun(second)).toBe(false);
    await transaction(ctx.db, async (session) => {
      expect(await imports.isWaiting(session, third)).toBe(false);
      expect(await imports.noteCase(session, third, { outcome: 'created', ...ofCase })).toBe(false);
    });
    const { rows: all, waiting } = await imports.countsOf({ ...cancelled, counts: null });
    expect([all, waiting]).toEqual([3, 3]);
    expect(await imports.begun(2, 10)).toEqual([]);
  });
});
