/** npm run demo:advance */

import { exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { devFileOfRunning } from '../dev-files.ts';
import { parseOptions } from '../options.ts';
import { showArrivals } from './show-arrivals.ts';

try {
  const dev = devFileOfRunning(dataDirAt(parseOptions([], process.env).dataDir));
  const complete = await showArrivals(dev, (line) => console.log(line));
  process.exit(complete ? 0 : 1);
} catch (err) {
  exitWith(err);
}
