/** npm run admin -- …: the operator's commands, on the running development system or on MONGODB_URL. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureInstalled, exitLike, root, runNode, say } from './bootstrap.mjs';

/** Services with a database of their own, whose relays can publish events again, and who handle events. */
const publishers = ['identity', 'cases', 'monitor', 'notifier', 'webhooks'];

const args = process.argv.slice(2);
/** Help is printed without a running system. */
const isHelp = args.includes('--help') || args.includes('-h');
const isSet = process.env.MONGODB_URL || process.env.NATS_URL;

/** Whose settings a command runs with, and its program with its words; what is not named here is identity's. */
const commands = {
  monitor: () => ({ owner: 'monitor', words: ['services/monitor/src/admin/main.ts', ...args] }),
  notifier: () => ({ owner: 'notifier', words: ['services/notifier/src/admin/main.ts', ...args] }),
  // Without a service, `list` asks each of them.
  deadletters: () =>
    args[1] === 'list' && !isSet && !publishers.includes(args[2])
      ? { owner: 'cases', words: ['tools/dev/src/dead-letters/main.ts', ...args.slice(2)] }
      : {
          owner: publishers.includes(args[2]) ? args[2] : 'identity',
          words: ['libs/platform/src/programs/dead-letters.ts', ...args],
        },
  cases: () => ({ owner: 'cases', words: ['services/cases/src/admin/main.ts', ...args] }),
  // The status table comes with the code: no running system is needed.
  statuses: () => ({ owner: null, words: ['services/cases/src/admin/main.ts', ...args] }),
  webhooks: () => ({ owner: 'webhooks', words: ['services/webhooks/src/admin/main.ts', ...args] }),
  explain: () => ({ owner: 'cases', words: ['tools/dev/src/explain/main.ts', ...args.slice(1)] }),
  republish: () => ({ owner: args[1], words: ['libs/platform/src/programs/republish.ts', ...args.slice(2)] }),
};
const identity = () => ({ owner: 'identity', words: ['services/identity/src/admin/main.ts', ...args] });

if (args[0] === 'republish' && (isHelp || !publishers.includes(args[1]))) {
  say(`Say whose events: npm run admin -- republish ${publishers.join('|')} --since <time>`);
  process.exit(isHelp ? 0 : 2);
}
const chosen = Object.hasOwn(commands, args[0]) ? commands[args[0]]() : identity();
const { words } = chosen;
const owner = isHelp ? null : chosen.owner;
const file = join(resolve(process.env.CASEWATCH_DATA || join(root, '.data')), 'dev-env.json');
if (owner && !isSet && !existsSync(file)) {
  say(
    `No running system: ${file} does not exist. Start one (npm start), say where its data is (CASEWATCH_DATA), ` +
      `or set ${owner}'s environment yourself (MONGODB_URL or NATS_URL and the rest, see docs/operations.md).`,
  );
  process.exit(1);
}
const settings = isSet || !owner ? {} : JSON.parse(readFileSync(file, 'utf8'))[owner];
if (settings === undefined) {
  const [program = '', ...rest] = words;
  const inImage = program.replace(/^services\/\w+\//, 'service/');
  say(
    `${file} has no settings of ${owner}: with Docker Compose run the command in its container:\n` +
      `  docker compose exec ${owner} node ${[inImage, ...rest].join(' ')}`,
  );
  process.exit(1);
}
await ensureInstalled();
exitLike(await runNode(words, { env: { ...process.env, ...settings } }));
