/** npm run lint:openapi: exit code 1 where a linter has something against the document. */
import { currentDocument } from '../committed-document.ts';
import { lint } from './lint.ts';

const faults = await lint(currentDocument());
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'The OpenAPI document is clean.' : `${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
