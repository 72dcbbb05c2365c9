/** Declares streams and consumers, and ends. With --preflight it only tries its user of NATS. With --keep it declares lost ones again, and /readyz says whether all are declared. */
import { runProgram } from '../process/run.ts';
import { declareOnce, keepDeclared, streamsConfig } from './keep-declared.ts';
import { runPreflight } from './preflight.ts';

if (process.argv.includes('--preflight')) await runPreflight({ name: 'streams', config: streamsConfig });
else if (process.argv.includes('--keep')) await runProgram('streams', keepDeclared);
else await declareOnce();
