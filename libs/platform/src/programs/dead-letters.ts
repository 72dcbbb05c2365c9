/** The program of `npm run admin -- deadletters`, on the database of one service. In a cluster it runs in a pod of that service. */
import { runCommands } from '../process/operator-commands.ts';
import { runDeadLetters } from './run-dead-letters.ts';

await runCommands(runDeadLetters);
