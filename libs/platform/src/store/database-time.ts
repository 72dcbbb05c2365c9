import type { Connection } from './mongo.ts';

/** For pipeline updates: the time in `ms`, on the database's clock, so that clocks of replicas do not matter. */
export function databaseTimeIn(ms: number): object {
  return { $add: ['$$NOW', ms] };
}

/** A filter: `field` has a date that has passed on the database's clock. Uses an index on `field`; not for `distinct`. */
export function hasPassed<Field extends string>(field: Field) {
  // Aggregation sorts null before every date. Partial indexes on due times have the same first condition.
  const condition = { [field]: { $gt: new Date(0) }, $expr: { $lte: [`$${field}`, '$$NOW'] } };
  return condition as Record<Field, { $gt: Date }> & { $expr: object };
}

export async function databaseTime(connection: Connection): Promise<Date> {
  const { localTime } = (await connection.db?.admin().command({ hello: 1 })) ?? {};
  if (!(localTime instanceof Date)) throw new Error('hello of MongoDB has no localTime');
  return localTime;
}

/** Another transaction, which lives 5 s, can still write a row with a time before this age, ms (webhooks.md, Events). */
const settledAfterMs = 7_000;

/** Rows of an older time of the database are all stored: a poller that has read them misses none. */
export function settledBefore(databaseNow: Date): Date {
  return new Date(databaseNow.getTime() - settledAfterMs);
}
