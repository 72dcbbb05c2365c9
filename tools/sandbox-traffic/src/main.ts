/** `npm run sandbox-traffic`: run it once, before the request for production access. */
import { run } from './run.ts';

await run(process.argv.slice(2), process.env, (line) => process.stdout.write(`${line}\n`));
