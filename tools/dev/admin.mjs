/** npm run admin -- …: the operator's commands, on the running development system or on MONGODB_URL. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureInstalled, exitLike, root, runNode, say } from './bootstrap.mjs';

/** Whose command a first word is; the others are identity's, which says what there is. */
const owners = { monitor: 'monitor' };

/** Services with a database of their own, whose relays can publish events again. */
const publishers = ['identity', 'cases', 'monitor', 'notifier', 'webhooks'];

const args = process.argv.slice(2);
const isRepublish = args[0] === 'republish';
if (isRepublish && !publishers.includes(args[1])) {
  say(`Say whose events: npm run admin -- republish ${publishers.join('|')} --since <time>`);
  process.exit(2);
}
const word = isRepublish ? args[1] : owners[args[0]];
const owner = publishers.includes(word) ? word : 'identity';
const program = isRepublish
  ? ['libs/platform/src/republish-main.ts', ...args.slice(2)]
  : [`services/${owner}/src/admin/main.ts`, ...args];
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
exitLike(await runNode(program, { env: { ...process.env, ...settings } }));
