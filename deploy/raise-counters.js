// mongosh <replica set> deploy/raise-counters.js, while no service runs. After a restore, it prevents that ids, versions and
// observations issued since the backup are issued again. It recognises a database by its collections, not by its name.
const step = 100_000_000;

// Counters per database; the key is a collection that only this database has.
const growing = {
  counters: { counters: ['next'] },
  sessions: { users: ['version'], partners: ['version'] },
  status_updates: { cases: ['version'] },
  // Observations are compared with each other, so all grow by the same number.
  watches: { receipts: ['revision', 'observation', 'past.$[].observation'], watches: ['last_observation'] },
};

for (const { name } of db.adminCommand({ listDatabases: 1, nameOnly: true }).databases) {
  if (['admin', 'config', 'local'].includes(name)) continue;
  const database = db.getSiblingDB(name);
  const collections = database.getCollectionNames();
  for (const owned of collections.map((collection) => growing[collection] ?? {}))
    for (const [collection, fields] of Object.entries(owned))
      for (const field of fields) {
        // 0 means none yet; a list can be empty.
        const set = { [field.replace('.$[]', '')]: { $gt: 0 } };
        const raise = { $inc: { [field]: step } };
        const { modifiedCount } = database[collection].updateMany(set, raise, { writeConcern: { w: 'majority' } });
        print(`${name}.${collection}.${field}: ${modifiedCount} raised`);
      }
}
