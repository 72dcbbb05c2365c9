/** What is there at the end: events by id. */
export type Found = {
  /** Events whose change is in the database. */
  committed: ReadonlySet<string>;
  /** Events whose caller was told that the transaction is committed. */
  told: ReadonlySet<string>;
  published: ReadonlySet<string>;
  /** The event of each mail that was made. */
  mails: readonly string[];
  failures: number;
};

type Elections = { kills: number; stepdowns: number; lagging: number };

/** Prints a table. True where nothing is phantom, lost or double. */
export function judge(found: Found, made: Elections, say: (line: string) => void): boolean {
  const { committed, told, published, mails, failures } = found;
  const handled = new Set(mails);
  const phantom = [...new Set([...published, ...handled])].filter((id) => !committed.has(id)).length;
  const events = [...new Set([...committed, ...told])];
  const rolledBack = events.filter((id) => !committed.has(id)).length;
  const unpublished = events.filter((id) => committed.has(id) && !published.has(id)).length;
  const unhandled = events.filter((id) => published.has(id) && !handled.has(id)).length;
  const lost = rolledBack + unpublished + unhandled;
  const double = mails.length - handled.size;
  say(
    '| elections | kills | stepdowns | with replication stopped | committed | failed | phantom | lost | double |',
  );
  say('|---|---|---|---|---|---|---|---|---|');
  say(
    `| ${made.kills + made.stepdowns} | ${made.kills} | ${made.stepdowns} | ${made.lagging} | ${committed.size} | ${failures} | ${phantom} | ${lost} | ${double} |`,
  );
  if (lost > 0)
    say(`Lost: ${rolledBack} told and rolled back, ${unpublished} not published, ${unhandled} not handled.`);
  return phantom === 0 && lost === 0 && double === 0 && committed.size > 0;
}
