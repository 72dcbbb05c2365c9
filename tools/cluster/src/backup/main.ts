/** npm run backup -- <folder> and npm run restore -- <folder> [<newer folder> …]: components/mongodb in kubectl's cluster. */
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

const [command, folder, ...newerFolders] = process.argv.slice(2);
const say = (line: string): void => console.error(line);
try {
  if (folder === undefined) throw new Error('Name a folder: npm run backup -- <folder>');
  if (command === 'backup') say(await backUp(folder, say));
  else if (command === 'restore') await restore(folder, say, { newerFolders });
  else throw new Error('The command must be backup or restore.');
} catch (err) {
  say(err instanceof Error ? err.message : String(err));
  process.exitCode = 1;
}
