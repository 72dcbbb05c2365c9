/** npm run lint:openapi: exit code 1 if the linter finds something in the document. */
import { currentDocument } from '../committed-document.ts';
import { lint } from './lint.ts';

const findings = await lint(currentDocument());
for (const finding of findings) console.error(finding);
console.log(`${findings.length} findings in the OpenAPI document.`);
process.exitCode = findings.length === 0 ? 0 : 1;
