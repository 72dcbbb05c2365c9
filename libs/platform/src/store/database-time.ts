import type { Connection } from './mongo.ts';

/**
 * Claims and due times are written and compared on the database's clock (`$$NOW`), so clocks of replicas do not matter.
 * For pipeline updates: the database's time, `ms` from now.
 */
export function databaseTimeIn(ms: number): object {
  return { $add: ['$$NOW', ms] };
}

/**
 * A filter: the date in `field` has come on the database's clock. False where it is null. It uses an index on `field`.
 * Not for `distinct`, which does not know `$$NOW`: that takes `databaseTime`.
 */
export function hasCome<Field extends string>(field: Field) {
  // Dates alone: in an aggregation null is below every date. Partial indexes of due times name the same condition.
  const condition = { [field]: { $gt: new Date(0) }, $expr: { $lte: [`$${field}`, '$$NOW'] } };
  return condition as Record<Field, { $gt: Date }> & { $expr: object };
}

/** The time on the clock of the primary. */
export async function databaseTime(connection: Connection): Promise<Date> {
  const { localTime } = (await connection.db?.admin().command({ hello: 1 })) ?? {};
  if (!(localTime instanceof Date)) throw new Error('the database does not tell its time');
  return localTime;
}
