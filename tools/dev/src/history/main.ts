/** npm run demo:history: fills the demo partner of the running system with users, cases and deliveries. */

import { exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { devFileOfRunning } from '../dev-files.ts';
import { parseOptions } from '../options.ts';
import { makeHistory } from './make-history.ts';

try {
  const dev = devFileOfRunning(dataDirAt(parseOptions([], process.env).dataDir));
  await makeHistory(dev, (line) => console.log(line));
  process.exit(0);
} catch (err) {
  exitWith(err);
}
