// mongosh <address of the set> deploy/raise-counters.js, while no service runs: after a restore no id, version or observation
// that was given out since the backup is given out again. Databases are known by their collections, whatever their names.
const step = 100_000_000;

// What only grows, by a collection that only its owner's database has.
const growing = {
  counters: { counters: ['next'] },
  sessions: { users: ['version'], partners: ['version'] },
  status_updates: { cases: ['version'] },
  // Observations are compared with each other: all of them grow by the same.
  watches: { receipts: ['revision', 'observation', 'past.$[].observation'], watches: ['last_observation'] },
};

for (const { name } of db.adminCommand({ listDatabases: 1, nameOnly: true }).databases) {
  if (['admin', 'config', 'local'].includes(name)) continue;
  const database = db.getSiblingDB(name);
  const collections = database.getCollectionNames();
  for (const owned of collections.map((collection) => growing[collection] ?? {}))
    for (const [collection, fields] of Object.entries(owned))
      for (const field of fields) {
        // 0 stands for none yet; a list may be empty.
        const set = { [field.replace('.$[]', '')]: { $gt: 0 } };
        const raise = { $inc: { [field]: step } };
        const { modifiedCount } = database[collection].updateMany(set, raise, { writeConcern: { w: 'majority' } });
        print(`${name}.${collection}.${field}: ${modifiedCount} raised`);
      }
}
