/** npm run admin -- …: the operator's commands, on the running development system or on MONGODB_URL. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureInstalled, exitLike, root, runNode, say } from './bootstrap.mjs';

/** Whose command a first word is; the others are identity's, which says what there is. */
const owners = { monitor: 'monitor' };

const args = process.argv.slice(2);
const owner = Object.hasOwn(owners, args[0]) ? owners[args[0]] : 'identity';
const file = join(resolve(process.env.CASEWATCH_DATA || join(root, '.data')), 'dev-env.json');
if (!process.env.MONGODB_URL && !existsSync(file)) {
  say(
    `No running system: ${file} does not exist. Start one (npm start), say where its data is (CASEWATCH_DATA), ` +
      `or set ${owner}'s environment yourself (MONGODB_URL and the rest, see services/${owner}/README.md).`,
  );
  process.exit(1);
}
await ensureInstalled();
const settings = process.env.MONGODB_URL ? {} : JSON.parse(readFileSync(file, 'utf8'))[owner];
exitLike(
  await runNode([`services/${owner}/src/admin/main.ts`, ...args], { env: { ...process.env, ...settings } }),
);
