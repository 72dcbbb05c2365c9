// Runs in mongosh on 127.0.0.1 of a member. MongoDB lets this address create the first user.
// Exits with 0 if the users match the Secret, with 1 if it has to run again. Prints no password.
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

// The first member creates the replica set; the others join.
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
