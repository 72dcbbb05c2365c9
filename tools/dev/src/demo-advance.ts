/** npm run demo:advance: moves one demo case on, and shows what arrives where. */
import { showArrivals } from './advance/show-arrivals.ts';
import { dataDirAt } from './data-dir.ts';
import { readDevFile } from './dev-files.ts';
import { parseOptions } from './options.ts';
import { exitWith, Problem } from './problem.ts';

try {
  const data = dataDirAt(parseOptions([], process.env).dataDir);
  const dev = readDevFile(data);
  if (dev === undefined) {
    throw new Problem(`No running system with its data in ${data.root}. Start one: npm start`);
  }
  const complete = await showArrivals(dev, (line) => console.log(line));
  process.exit(complete ? 0 : 1);
} catch (err) {
  exitWith(err);
}
