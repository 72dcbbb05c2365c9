/** The program that a pod's operator calls to have events published again. */
import { runCommands, standardOutput } from '../process/operator-commands.ts';
import { runRepublish } from './run-republish.ts';

await runCommands(runRepublish, {
  ...standardOutput,
  err: (line) => standardOutput.err(`republish: ${line}`),
});
