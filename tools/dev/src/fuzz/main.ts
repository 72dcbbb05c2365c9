/** npm run fuzz. Exit code 0: both runs passed; 3: schemathesis is not available; else 1. */
import { resolve } from 'node:path';
import { exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { type DevFile, devFileOfRunning } from '../dev-files.ts';
import { withOwnSystem } from '../own-system.ts';
import { findPythonTool } from '../python-tool.ts';
import { endGuard } from '../servers/index.ts';
import { stopSignal } from '../stop-signal.ts';
import { optionsOf } from './config-of-run.ts';
import { fuzz } from './fuzz.ts';

const stop = stopSignal();
const say = (line: string): void => console.error(line);
try {
  const program = await findPythonTool('schemathesis', { env: process.env, say, signal: stop });
  const options = optionsOf(process.argv.slice(2));
  const fuzzAt = (dev: DevFile) => fuzz({ dev, program, options, say, signal: stop });
  const { CASEWATCH_DATA: folder } = process.env;
  const hasPassed = folder
    ? await fuzzAt(devFileOfRunning(dataDirAt(resolve(folder))))
    : await withOwnSystem({ env: process.env, say, signal: stop }, fuzzAt);
  process.exitCode = hasPassed ? 0 : 1;
} catch (err) {
  if (!stop.aborted) exitWith(err);
  process.exitCode = 130;
}
await endGuard();
process.exit();
