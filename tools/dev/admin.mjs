/** npm run admin -- …: the operator's command, on the running development system or on MONGODB_URL. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureInstalled, exitLike, root, runNode, say } from './bootstrap.mjs';

const file = join(resolve(process.env.CASEWATCH_DATA || join(root, '.data')), 'dev-env.json');
if (!process.env.MONGODB_URL && !existsSync(file)) {
  say(
    `No running system: ${file} does not exist. Start one (npm start), say where its data is (CASEWATCH_DATA), ` +
      "or set identity's environment yourself (MONGODB_URL and the rest, see services/identity/README.md).",
  );
  process.exit(1);
}
await ensureInstalled();
const settings = process.env.MONGODB_URL ? {} : JSON.parse(readFileSync(file, 'utf8')).identity;
const args = ['services/identity/src/admin/main.ts', ...process.argv.slice(2)];
exitLike(await runNode(args, { env: { ...process.env, ...settings } }));
