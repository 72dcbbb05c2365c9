import { inMongo, primary } from '../../backup/members.ts';

/** One service's database alone, as a set of its own would have it: its copy beside it. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const copy = `
    const [from, to] = [db.getSiblingDB('${from}'), db.getSiblingDB('${to}')];
    for (const { name: coll } of from.getCollectionInfos({ type: 'collection' }))
      if (from[coll].countDocuments({}) === 0) to[coll].deleteMany({});
      else from[coll].aggregate([{ $out: { db: '${to}', coll } }]);`;
  await inMongo(await primary(), copy);
}

export async function dropDatabase(name: string): Promise<void> {
  await inMongo(await primary(), `db.getSiblingDB('${name}').dropDatabase();`);
}
