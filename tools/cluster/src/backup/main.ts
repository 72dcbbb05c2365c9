/**
 * npm run backup -- <folder> --namespace <namespace> and npm run restore -- <folder> [<newer folder> …] --namespace <namespace>:
 * components/mongodb in a namespace of kubectl's cluster. A backup of the demonstration is not restored anywhere else, and no
 * other one there.
 */
import { parseArgs } from 'node:util';
import { useNamespace } from '../kit/kubectl.ts';
import { backUp } from './back-up.ts';
import { keepOrigin, refuseOtherOrigin } from './origin.ts';
import { restore } from './restore.ts';

const say = (line: string): void => console.error(line);
try {
  const { values, positionals } = parseArgs({
    options: { namespace: { type: 'string' } },
    allowPositionals: true,
  });
  const [command, folder, ...newerFolders] = positionals;
  if (command !== 'backup' && command !== 'restore')
    throw new Error('The command must be backup or restore.');
  if (folder === undefined || !values.namespace || (command === 'backup' && newerFolders.length > 0))
    throw new Error(`Name a folder and a namespace: npm run ${command} -- <folder> --namespace casewatch`);
  useNamespace(values.namespace);
  if (command === 'backup') {
    const origin = await keepOrigin(folder, values.namespace);
    say(await backUp(origin, say));
  } else {
    await refuseOtherOrigin(folder, values.namespace);
    for (const newer of newerFolders) await refuseOtherOrigin(newer, values.namespace);
    await restore(folder, say, { newerFolders });
  }
} catch (err) {
  say(err instanceof Error ? err.message : String(err));
  process.exitCode = 1;
}
