/** npm run lint:openapi: exit code 1 if the linter finds something in the documents. */
import { asyncApiDocument } from '@casewatch/contracts';
import { currentDocument } from '../committed-document.ts';
import { lint, lintEvents } from './lint.ts';

const findings = [...(await lint(currentDocument())), ...(await lintEvents(asyncApiDocument()))];
for (const finding of findings) console.error(finding);
console.log(`${findings.length} findings in the OpenAPI and AsyncAPI documents.`);
process.exitCode = findings.length === 0 ? 0 : 1;
