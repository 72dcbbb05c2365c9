/** npm run admin -- …: the operator's commands, on the running development system or on MONGODB_URL. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureInstalled, exitLike, root, runNode, say } from './bootstrap.mjs';

/** Whose command a first word is, and its program; the others are identity's, which says what there is. */
const commands = {
  monitor: { owner: 'monitor', program: 'services/monitor/src/admin/main.ts' },
  deadletters: { owner: 'streams', program: 'libs/platform/src/dead-letters-main.ts' },
};
const others = { owner: 'identity', program: 'services/identity/src/admin/main.ts' };

const args = process.argv.slice(2);
const { owner, program } = Object.hasOwn(commands, args[0]) ? commands[args[0]] : others;
const file = join(resolve(process.env.CASEWATCH_DATA || join(root, '.data')), 'dev-env.json');
const isSet = process.env.MONGODB_URL || process.env.NATS_URL;
if (!isSet && !existsSync(file)) {
  say(
    `No running system: ${file} does not exist. Start one (npm start), say where its data is (CASEWATCH_DATA), ` +
      `or set ${owner}'s environment yourself (MONGODB_URL or NATS_URL and the rest, see docs/operations.md).`,
  );
  process.exit(1);
}
await ensureInstalled();
const settings = isSet ? {} : JSON.parse(readFileSync(file, 'utf8'))[owner];
exitLike(await runNode([program, ...args], { env: { ...process.env, ...settings } }));
