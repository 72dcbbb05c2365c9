/** npm run backup -- <folder> and npm run restore -- <folder>: components/mongodb, in the cluster kubectl is set to. */
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

const [what, folder] = process.argv.slice(2);
const say = (line: string): void => console.error(line);
try {
  if (folder === undefined) throw new Error('Say which folder: npm run backup -- <folder>');
  if (what === 'backup') say(await backUp(folder, say));
  else if (what === 'restore') await restore(folder, say);
  else throw new Error('backup or restore?');
} catch (err) {
  say(err instanceof Error ? err.message : String(err));
  process.exitCode = 1;
}
