/** npm run openapi: writes the documents of the HTTP interface and of the events, and prints breaking changes, which the tests refuse. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../options.ts';
import { currentDocument, generatedDocuments } from './committed-document.ts';
import { unacceptedBreaks } from './unaccepted-breaks.ts';

for (const [file, text] of Object.entries(generatedDocuments())) {
  writeFileSync(join(ROOT, file), text);
  console.log(`Wrote ${file}.`);
}
const breaks = unacceptedBreaks(currentDocument());
for (const change of breaks) console.log(`BREAKS A CLIENT  ${change}`);
if (breaks.length > 0)
  console.log('Undo these, or accept each in tools/dev/src/openapi/unaccepted-breaks.ts.');
