/** npm run fuzz. Exit code 0: both runs passed; 3: schemathesis is not available; else 1. */
import { exitWith } from '../problem.ts';
import { guardEnded } from '../servers/index.ts';
import { stopSignal } from '../until-asked-to-stop.ts';
import { fuzz } from './fuzz.ts';
import { optionsOf } from './options-of.ts';
import { findSchemathesis } from './schemathesis.ts';
import { withSystem } from './with-system.ts';

const stop = stopSignal();
const say = (line: string): void => console.error(line);
try {
  const program = await findSchemathesis({ env: process.env, say, signal: stop });
  const options = { program, options: optionsOf(process.argv.slice(2)), say, signal: stop };
  const clean = await withSystem({ env: process.env, say, signal: stop }, (dev) => fuzz({ dev, ...options }));
  process.exitCode = clean ? 0 : 1;
} catch (err) {
  if (!stop.aborted) exitWith(err);
  process.exitCode = 130;
}
await guardEnded();
process.exit();
