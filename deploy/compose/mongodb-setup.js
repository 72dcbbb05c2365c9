// Runs in mongosh as root. Creates a replica set with one member, and one user per service with rights on its own database.
// Can run again. Passwords come from the environment: MONGODB_PASSWORD_<SERVICE>.
const prefix = 'MONGODB_PASSWORD_';

try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: process.env.MONGODB_MEMBER ?? 'mongodb:27017' }] });
}
while (!db.hello().isWritablePrimary) sleep(100);

const admin = db.getSiblingDB('admin');
for (const [name, pwd] of Object.entries(process.env)) {
  if (!name.startsWith(prefix)) continue;
  const user = name.slice(prefix.length).toLowerCase();
  const roles = [{ role: 'readWrite', db: user }];
  if (admin.getUser(user)) admin.updateUser(user, { pwd, roles });
  else admin.createUser({ user, pwd, roles });
}
print('the replica set and its users are there');
