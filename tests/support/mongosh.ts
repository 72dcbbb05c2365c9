import { createContext, runInContext } from 'node:vm';

export type Snapshot = Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>;
type Filter = Readonly<Record<string, unknown>>;

/** Runs a script that reads, as mongosh would on databases with these rows. Returns what it prints. */
export function runMongoshScript(text: string, databases: Snapshot): string {
  const printed: string[] = [];
  const siblingOf = (name: string) => {
    const collections = Object.entries(databases[name] ?? {}).map(([collection, rows]) => [
      collection,
      { find: (filter: Filter) => ({ toArray: () => rows.filter((row) => matches(row, filter)) }) },
    ]);
    return {
      getCollectionNames: () => Object.keys(databases[name] ?? {}),
      ...Object.fromEntries(collections),
    };
  };
  const db = {
    adminCommand: () => ({ databases: ['admin', ...Object.keys(databases)].map((name) => ({ name })) }),
    getSiblingDB: siblingOf,
  };
  runInContext(text, createContext({ db, print: (line: unknown) => printed.push(String(line)) }));
  return printed.join('\n');
}

/** The two kinds of filter that our scripts have: a value, and `{ $type: 'date' }`. */
function matches(row: object, filter: Filter): boolean {
  const fields = new Map<string, unknown>(Object.entries(row));
  return Object.entries(filter).every(([field, wanted]) =>
    typeof wanted === 'object' ? fields.get(field) instanceof Date : fields.get(field) === wanted,
  );
}
