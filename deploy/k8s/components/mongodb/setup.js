// Runs in mongosh, on 127.0.0.1 of a member: while there is no user yet, that address may make the first one.
// Ends with 0 where the users are as the Secret says, with 1 where it has to be run again. Prints no password.
const fs = require('node:fs');
const { hostname } = require('node:os');

const folder = '/run/secrets/mongodb-users';
const members = [0, 1, 2].map((i) => ({ _id: i, host: `mongodb-${i}.mongodb:27017` }));
const passwords = Object.fromEntries(
  fs
    .readdirSync(folder)
    .filter((name) => !name.startsWith('..')) // what the volume itself keeps there
    .map((name) => [name, fs.readFileSync(`${folder}/${name}`, 'utf8').trim()]),
);
const admin = db.getSiblingDB('admin');

const works = (work) => {
  try {
    return work() !== false;
  } catch (_error) {
    return false;
  }
};
const signIn = (user) => works(() => admin.auth(user, passwords[user]).ok === 1);
const isCurrent = () => Object.keys(passwords).every(signIn) && signIn('root') && noOthers();
const noOthers = () => works(() => admin.getUsers().users.every(({ user }) => user in passwords));

// The first member makes the set, and the others join it.
if (!db.hello().setName && hostname() === 'mongodb-0') {
  print(`replica set made: ${works(() => rs.initiate({ _id: 'rs0', members }))}`);
}
for (let i = 0; i < 40 && !db.hello().primary; i++) sleep(250);
if (db.hello().isWritablePrimary) {
  works(() => admin.createUser({ user: 'root', pwd: passwords.root, roles: ['root'] }));
  if (!signIn('root')) quit(1);
  for (const [user, pwd] of Object.entries(passwords)) {
    const roles = user === 'root' ? ['root'] : [{ role: 'readWrite', db: user.split('.')[0] }];
    if (admin.getUser(user)) admin.updateUser(user, { pwd, roles });
    else admin.createUser({ user, pwd, roles });
  }
  for (const { user } of admin.getUsers().users) if (!(user in passwords)) admin.dropUser(user);
}
const current = isCurrent();
print(`users as the Secret says: ${current}`);
quit(current ? 0 : 1);
