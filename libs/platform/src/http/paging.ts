import type { CursorScope, Cursors, Position } from './cursor.ts';

type List<R> = {
  cursors: Cursors;
  /** What the cursor of the next page is good for. */
  scope: CursorScope;
  /** The cursor that the caller sent; undefined: the first page. */
  cursor: string | undefined;
  /** The query's name of the cursor, for the error. */
  parameter?: string;
  /** Rows of one page at most. */
  limit: number;
  /** Reads at most `limit` rows that come after a position; null: from the beginning. */
  read(after: Position | null, limit: number): Promise<R[]>;
  positionOf(row: R): Position;
};

/** What every list answers beside its rows. */
export type Page = { has_more: boolean; next_cursor: string | null };

/**
 * Reads one page of a list, and whether there is another one: one row more than the page has is read.
 * @throws ApiError invalid_cursor
 */
export async function readPage<R>(list: List<R>): Promise<{ rows: R[]; page: Page }> {
  const { cursors, scope, cursor, parameter, limit, read, positionOf } = list;
  const after = cursor === undefined ? null : cursors.decode(scope, cursor, parameter);
  const found = await read(after, limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const next_cursor = last ? cursors.encode(scope, positionOf(last)) : null;
  return { rows, page: { has_more: last !== undefined, next_cursor } };
}
