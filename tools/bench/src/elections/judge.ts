import { say, table } from '../kit/cli.ts';

export type Result = {
  /** Events whose change is in the database. */
  committed: ReadonlySet<string>;
  /** Events whose transaction was reported as committed. */
  acknowledged: ReadonlySet<string>;
  published: ReadonlySet<string>;
  mails: readonly string[];
  failures: number;
};

type Elections = { kills: number; stepdowns: number; lagging: number };

/** Prints a table. @returns whether no event is phantom, lost or double */
export function judge(result: Result, { kills, stepdowns, lagging }: Elections): boolean {
  const { committed, acknowledged, published, mails, failures } = result;
  const handled = new Set(mails);
  const missing = (ids: Iterable<string>, from: ReadonlySet<string>) =>
    [...ids].filter((id) => !from.has(id)).length;
  const phantom = missing(new Set([...published, ...handled]), committed);
  const rolledBack = missing(acknowledged, committed);
  const unpublished = missing(committed, published);
  const unhandled = missing(published, handled);
  const lost = rolledBack + unpublished + unhandled;
  const double = mails.length - handled.size;
  table([
    {
      elections: kills + stepdowns,
      kills,
      stepdowns,
      'with replication stopped': lagging,
      committed: committed.size,
      failed: failures,
      phantom,
      lost,
      double,
    },
  ]);
  if (lost > 0)
    say(`Lost: ${rolledBack} rolled back, ${unpublished} not published, ${unhandled} not handled.`);
  return phantom === 0 && lost === 0 && double === 0 && committed.size > 0;
}
