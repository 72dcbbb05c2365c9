import {
  addMissingWords,
  collection,
  connectMongo,
  findByWords,
  prepareModels,
  wordsIndex,
} from '@casewatch/platform/database';
import { startMongo } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

type Row = { _id: number; partner_id: number | null; words?: string[]; name?: string };
const things = collection<Row>('things', Number, [wordsIndex]);
const has = 12_000;
const limit = 200;

describe('findByWords', () => {
  let model: ReturnType<typeof things>;
  let stop: () => Promise<void>;
  const find = (...words: string[]) =>
    findByWords(model, { partnerId: 1, words: words.map((word) => [word]), limit });

  beforeAll(async () => {
    const mongo = await startMongo();
    const db = await connectMongo(mongo.url('words'));
    model = things(db);
    await prepareModels(db);
    // Half have `even`, one in a hundred `rare`, three have both names; another partner has the same words.
    const rows = Array.from({ length: has }, (_, i) => {
      const id = i + 1;
      const words = ['all', `n${id}`, ...(id % 2 ? [] : ['even']), ...(id % 100 ? [] : ['rarely'])];
      if (id % 4_000 === 0) words.push('maria', 'garcia');
      return { _id: id, partner_id: 1, words };
    });
    await model.insertMany(rows);
    await model.insertMany([{ _id: has + 1, partner_id: 2, words: ['rarely', 'all', 'maria'] }]);
    await db.db?.command({ profile: 2 });
    stop = async () => {
      await db.db?.command({ profile: 0 });
      await db.close();
      await mongo.stop();
    };
  });
  afterAll(async () => await stop());

  it.each([
    [['rare'], 120, false],
    [['maria'], 3, false],
    [['garc', 'mar'], 3, false],
    [['all', 'maria'], 3, false],
    [['even', 'all', 'rarely'], 120, false],
    [['nothing'], 0, false],
    [['maria', 'nothing'], 0, false],
    [['all'], limit, true],
    [['even'], limit, true],
    // Both are of too many: what is found is right, and more letters find the others.
    [['even', 'all'], limit, true],
  ])('%j finds %i, more: %s', async (words, found, more) => {
    const answer = await find(...words);
    expect([answer.ids.length, answer.more]).toEqual([found, more]);
    const rows = await model.find({ _id: { $in: answer.ids } }).lean<Row[]>();
    for (const row of rows) {
      expect(row.partner_id).toBe(1);
      for (const word of words) expect(row.words?.some((own) => own.startsWith(word))).toBe(true);
    }
  });

  it('takes the signs of patterns as they are', async () => {
    for (const word of ['.', '^a', 'a|n', 'al*', '(al', '[a', 'a\\'])
      expect((await find(word)).ids).toEqual([]);
  });

  it('reads bounded keys, and hardly a row', async () => {
    const profile = model.db.collection('system.profile');
    for (const words of [['all'], ['even', 'all'], ['rarely', 'all'], ['maria', 'garcia']]) {
      const began = new Date();
      await find(...words);
      const reads = await profile.find({ ns: /\.things$/, op: 'query', ts: { $gte: began } }).toArray();
      expect(reads.length).toBeGreaterThan(0);
      for (const read of reads) {
        expect(read.keysExamined).toBeLessThanOrEqual(5_001);
        expect(read.docsExamined).toBeLessThanOrEqual(limit);
      }
    }
  });

  it('adds words to rows without them, of every partner and of none, and leaves the others', async () => {
    const ids = [has + 10, has + 11, has + 12];
    const [one, other, direct] = ids as [number, number, number];
    await model.insertMany([
      { _id: one, partner_id: 1, name: 'zebra' },
      { _id: other, partner_id: 3, name: 'zebra' },
      { _id: direct, partner_id: null, name: 'zebra' },
    ]);
    await addMissingWords(model, ({ partner_id, name }) => (partner_id === null ? [] : [name ?? 'none']));
    expect(await find('zeb')).toEqual({ ids: [one], more: false });
    expect((await find('none')).ids).toEqual([]);
    expect(await model.countDocuments({ words: { $exists: false } })).toBe(0);
  });
});
