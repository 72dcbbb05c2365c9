import { runProgram } from '@casewatch/platform';
import { startAll } from './start-all.ts';

await runProgram('all', startAll);
