/** The program that a pod's operator calls to have events published again. */
import { standardOutput } from '../process/operator-commands.ts';
import { runRepublish } from './run-republish.ts';

process.exitCode = await runRepublish(process.argv.slice(2), process.env, {
  ...standardOutput,
  err: (line) => standardOutput.err(`republish: ${line}`),
});
