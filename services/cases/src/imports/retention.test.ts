import { transaction } from '@casewatch/platform/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openContext } from '../../test/support/open-context.ts';
import type { Context } from '../context.ts';
import type { ImportItem, ImportRow, Result } from '../store/imports.ts';

const dayMs = 86_400_000;

describe('what is kept of imports', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  let last = 0;
  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
  });
  afterAll(async () => await stop());

  /** An import of as many rows as there are results, which has begun. Null: the row waits. */
  async function given(results: readonly (Partial<Result> | null)[]): Promise<ImportRow> {
    last += 1;
    const row: ImportRow = {
      ...{ _id: last, partner_id: 1, state: 'running', dry_run: false, send_verification: false },
      actor: { key_id: 'key-1', staff_id: null, address: '203.0.113.7' },
      ...{ rows: results.length, counts: null, created_at: new Date(), finished_at: null, tried_at: null },
    };
    const items = results.map((_, at): ImportItem => {
      const nothing = { code: null, message: null, user_id: null, case_id: null };
      const open = { outcome: 'waiting', payload: 'sealed', begun: false, done_case: null } as const;
      return {
        ...nothing,
        ...open,
        _id: `${last}:${at}`,
        import_id: last,
        row: at,
        person: `p${at}`,
        expires_at: null,
      };
    });
    const done = results.flatMap((result, at) => {
      const whole = { code: null, message: null, user_id: null, case_id: null, outcome: 'refused' } as const;
      return result === null ? [] : [{ id: `${last}:${at}`, result: { ...whole, ...result } }];
    });
    await transaction(ctx.db, (session) => ctx.stores.imports.insert(session, row, items));
    if (done.length > 0) await ctx.stores.imports.finish(done);
    return row;
  }
  const itemsOf = async ({ _id }: ImportRow) =>
    await ctx.db.collection<ImportItem>('import_rows').find({ import_id: _id }).sort({ row: 1 }).toArray();
  /** Whole days from now; null: for ever. */
  const daysOf = async (row: ImportRow) =>
    (await itemsOf(row)).map(
      ({ expires_at }) => expires_at && Math.round((expires_at.getTime() - Date.now()) / dayMs),
    );
  const ttlsOf = async (collection: string) => {
    const indexes = await ctx.db.collection(collection).indexes();
    const timed = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    return timed.map(({ key, expireAfterSeconds = 0 }) => [...Object.keys(key), expireAfterSeconds / 86_400]);
  };
  async function settled(row: ImportRow): Promise<ImportRow | null> {
    await ctx.stores.imports.expireRows(row._id);
    await transaction(ctx.db, (session) => ctx.stores.imports.settle(session, row, new Date()));
    return await ctx.stores.imports.find(1, row._id);
  }

  it('is deleted 90 days after the end of an import, and its rows when they say so', async () => {
    expect(await ttlsOf('imports')).toEqual([['finished_at', 90]]);
    expect(await ttlsOf('import_rows')).toEqual([['expires_at', 0]]);
  });

  it('are the cells of a refused row for 7 days from then on, while its import waits for other rows', async () => {
    const message = '$message begins as a field of MongoDB does';
    const row = await given([
      { code: 'invalid_receipt_number', message },
      null,
      { outcome: 'created', user_id: 7, case_id: 9 },
    ]);
    expect(await itemsOf(row)).toMatchObject([
      { outcome: 'refused', code: 'invalid_receipt_number', message, payload: 'sealed' },
      { outcome: 'waiting', payload: 'sealed' },
      { outcome: 'created', user_id: 7, case_id: 9, payload: null },
    ]);
    expect(await daysOf(row)).toEqual([7, null, null]);
  });

  it('is an import that is not over, without a date on which it is deleted', async () => {
    const row = await given([null]);
    expect(await ctx.stores.imports.find(1, row._id)).toMatchObject({ finished_at: null, counts: null });
    const over = await settled(row);
    expect(over?.finished_at).toBeInstanceOf(Date);
  });

  it('counts refused rows that have expired before the end, and prolongs none at the end', async () => {
    const row = await given([{}, {}, { outcome: 'updated' }, null]);
    const rows = ctx.db.collection<ImportItem>('import_rows');
    // As the index of `expires_at` does it.
    await rows.deleteOne({ import_id: row._id, row: 0 });
    const soon = new Date(Date.now() + dayMs);
    await rows.updateOne({ import_id: row._id, row: 1 }, { $set: { expires_at: soon } });
    const counts = { rows: 4, waiting: 1, created: 0, updated: 1, unchanged: 0, refused: 2 };
    expect(await ctx.stores.imports.countsOf(row)).toEqual(counts);
    expect(await settled(row)).toMatchObject({ counts });
    expect(await daysOf(row)).toEqual([1, 7, 7]);
    expect((await itemsOf(row)).map(({ payload }) => payload)).toEqual(['sealed', null, null]);
  });
});
