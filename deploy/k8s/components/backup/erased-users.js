// mongosh <replica set> deploy/erased-users.js: the erasures that the services have recorded within 400 days, as one line of JSON.
// It recognises a database by its collections, not by its name. `npm run backup` and `npm run restore` run it.
const timeOf = { erased_users: 'erased_at', tombstones: 'deleted_at', user_states: 'erased_at' };
const erasures = new Map();

for (const { name } of db.adminCommand({ listDatabases: 1, nameOnly: true }).databases) {
  if (['admin', 'config', 'local'].includes(name)) continue;
  const database = db.getSiblingDB(name);
  const collections = database.getCollectionNames();
  // The record of identity names the partner, too.
  if (collections.includes('outbox'))
    for (const { body } of database.outbox.find({ type: 'erasure.recorded' }).toArray()) {
      const { data } = JSON.parse(body);
      erasures.set(data.user_id, data);
    }
  for (const [collection, field] of Object.entries(timeOf)) {
    if (!collections.includes(collection)) continue;
    for (const row of database[collection].find({ [field]: { $type: 'date' } }).toArray()) {
      const user_id = Number(row._id);
      if (!erasures.has(user_id))
        erasures.set(user_id, { user_id, partner_id: null, erased_at: row[field].toISOString() });
    }
  }
}
print(JSON.stringify([...erasures.values()]));
