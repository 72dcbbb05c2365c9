/** npm run openapi: writes the document and prints breaking changes, which the tests refuse. */
import { writeFileSync } from 'node:fs';
import { currentDocument, documentPath, documentText } from './committed-document.ts';
import { unacceptedBreaks } from './unaccepted-breaks.ts';

writeFileSync(documentPath, documentText());
console.log(`Wrote ${documentPath}.`);
const breaks = unacceptedBreaks(currentDocument());
for (const change of breaks) console.log(`BREAKS A CLIENT  ${change}`);
if (breaks.length > 0)
  console.log('Undo these, or accept each in tools/dev/src/openapi/unaccepted-breaks.ts.');
