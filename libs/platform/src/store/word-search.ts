import type mongoose from 'mongoose';
import { findRows, updateRows } from './collection.ts';

/** Of rows of partners with `words`, by which they are found. The newest of those with the same word come first. */
export const wordsIndex = { name: 'by_words', keys: { partner_id: 1, words: 1, _id: -1 } } as const;

type Searchable = { _id: number; partner_id: number | null; words?: string[] };

/** Most keys that are read for one of several words, whatever the partner has. */
const maxKeys = 5_000;

type Search = {
  partnerId: number;
  /** Beginnings of words, all of which a row has; each in the ways in which it may be stored. */
  words: readonly (readonly string[])[];
  /** Most rows. */
  limit: number;
};

/** `more`: there are, or may be, others than these. */
export type Found = { ids: number[]; more: boolean };

/**
 * Ids of the partner's rows that have all of the words. Reads only keys of `wordsIndex`, a bounded number of them; rows themselves at
 * most `limit`, where one of several words is so frequent that its keys are not read to the end.
 */
export async function findByWords<Row extends Searchable>(
  model: mongoose.Model<Row>,
  { partnerId, words, limit }: Search,
): Promise<Found> {
  const [longest = [], ...shorter] = words.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  if (shorter.length === 0) return cut(await idsWith(longest, limit + 1), limit);

  let ids: number[] | null = null;
  let ofFrequent: number[] = [];
  const unread: (readonly string[])[] = [];
  for (const word of [longest, ...shorter]) {
    const found: number[] | null = ids !== null && ids.length <= limit ? null : await idsWith(word, maxKeys);
    if (found !== null && found.length < maxKeys) ids = common(ids, found);
    else unread.push(word);
    if (found?.length === maxKeys && ofFrequent.length === 0) ofFrequent = found;
  }
  const candidates = cut(ids ?? ofFrequent, limit);
  if (unread.length === 0) return candidates;
  const conditions = unread.map((word) => ({ words: { $in: word.map(beginning) } }));
  const filter = { _id: { $in: candidates.ids }, $and: conditions } as mongoose.mongo.Filter<Row>;
  const rows = await findRows<Row, { _id: number }>(model, filter, { projection: { _id: 1 }, hint: '_id_' });
  return { ids: rows.map(({ _id }) => _id), more: candidates.more };

  async function idsWith(word: readonly string[], most: number): Promise<number[]> {
    const filter = { partner_id: partnerId, words: { $in: word.map(beginning) } };
    const reading = { projection: { _id: 1 }, hint: wordsIndex.name, limit: most } as const;
    const rows = await findRows<Row, { _id: number }>(model, filter as mongoose.mongo.Filter<Row>, reading);
    return rows.map(({ _id }) => _id);
  }
}

function lengthOf([word = '']: readonly string[]): number {
  return word.length;
}

function common(ids: readonly number[] | null, others: readonly number[]): number[] {
  if (ids === null) return [...others];
  const known = new Set(ids);
  return others.filter((id) => known.has(id));
}

function cut(ids: readonly number[], limit: number): Found {
  return { ids: ids.slice(0, limit), more: ids.length > limit };
}

/** MongoDB reads the range of an index for a pattern that only says the beginning. */
function beginning(word: string): RegExp {
  // The characters that have a meaning in a pattern.
  return new RegExp(`^${word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
}

const filledTogether = 500;

/** Adds the words of rows that were stored without them. Where none is left, it reads one key for each partner. */
export async function addMissingWords<Row extends Searchable>(
  model: mongoose.Model<Row>,
  wordsOf: (row: Row) => string[],
): Promise<void> {
  const missing = { words: { $exists: false } };
  for (;;) {
    const rows = await findRows(model, missing as mongoose.mongo.Filter<Row>, {
      limit: filledTogether,
      hint: wordsIndex.name,
    });
    if (rows.length === 0) return;
    // A row that was changed meanwhile has its new words.
    const updates = rows.map((row) => ({
      updateOne: { filter: { _id: row._id, ...missing }, update: { $set: { words: wordsOf(row) } } },
    }));
    await updateRows(model, updates);
  }
}
