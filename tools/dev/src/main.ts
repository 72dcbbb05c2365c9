/** npm start. The first Ctrl-C or SIGTERM stops everything in reverse order; the second ends this process at once. */

import { exitWith } from './cli-error.ts';
import { parseOptions } from './options.ts';
import { runOnly } from './run-only.ts';
import { runSystem } from './run-system.ts';
import { endGuard } from './servers/index.ts';
import { stopSignal } from './stop-signal.ts';

const stop = stopSignal();
try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.only === undefined) await runSystem(options, stop);
  else await runOnly(options, options.only, stop);
} catch (err) {
  // The start was interrupted, and its stack has stopped everything.
  if (!stop.aborted) exitWith(err);
}
await endGuard();
process.exit(0);
