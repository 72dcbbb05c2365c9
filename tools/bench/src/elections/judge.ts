/** What is there at the end: events by id, and how many effects were counted. */
export type Found = {
  /** Events whose change is in the database. */
  committed: ReadonlySet<string>;
  /** Events whose caller was told that the transaction is committed. */
  told: ReadonlySet<string>;
  published: ReadonlySet<string>;
  /** Events that had their effect. */
  handled: ReadonlySet<string>;
  counted: number;
  failures: number;
};

type Elections = { kills: number; stepdowns: number; lagging: number };

/** Prints a table. True where nothing is phantom, lost or double. */
export function judge(found: Found, made: Elections, say: (line: string) => void): boolean {
  const { committed, told, published, handled, counted, failures } = found;
  const phantom = [...new Set([...published, ...handled])].filter((id) => !committed.has(id)).length;
  const lost = [...new Set([...committed, ...told])].filter(
    (id) => !committed.has(id) || !published.has(id) || !handled.has(id),
  ).length;
  const double = counted - handled.size;
  say(
    '| elections | kills | stepdowns | with replication stopped | committed | failed | phantom | lost | double |',
  );
  say('|---|---|---|---|---|---|---|---|---|');
  say(
    `| ${made.kills + made.stepdowns} | ${made.kills} | ${made.stepdowns} | ${made.lagging} | ${committed.size} | ${failures} | ${phantom} | ${lost} | ${double} |`,
  );
  return phantom === 0 && lost === 0 && double === 0 && committed.size > 0;
}
