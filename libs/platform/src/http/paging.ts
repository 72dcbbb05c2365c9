import type { CursorScope, Cursors, Position } from './cursor.ts';

type List<R> = {
  cursors: Cursors;
  scope: CursorScope;
  cursor: string | undefined;
  parameter?: string;
  limit: number;
  read(after: Position | null, limit: number): Promise<R[]>;
  positionOf(row: R): Position;
};

export type Page = { has_more: boolean; next_cursor: string | null };

/** Reads one row more than the page, to see whether there is another page. @throws ApiError invalid_cursor */
export async function readPage<R>(list: List<R>): Promise<{ rows: R[]; page: Page }> {
  const { cursors, scope, cursor, parameter, limit, read, positionOf } = list;
  const after = cursor === undefined ? null : cursors.decode(scope, cursor, parameter);
  const fetched = await read(after, limit + 1);
  const rows = fetched.slice(0, limit);
  const last = fetched.length > limit ? rows.at(-1) : undefined;
  const next_cursor = last ? cursors.encode(scope, positionOf(last)) : null;
  return { rows, page: { has_more: last !== undefined, next_cursor } };
}
