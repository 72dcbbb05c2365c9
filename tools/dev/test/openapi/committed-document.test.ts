import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { currentDocument, generatedDocuments } from '../../src/openapi/committed-document.ts';
import { unacceptedBreaks } from '../../src/openapi/unaccepted-breaks.ts';
import { ROOT } from '../../src/options.ts';

describe('the committed documents', () => {
  it.each(Object.entries(generatedDocuments()))(
    '%s is what the contracts say; if it is not, remake it with npm run openapi',
    (file, text) => {
      const path = join(ROOT, file);
      if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
        throw new Error(`${file} is not what the contracts say. Remake it: npm run openapi`);
      }
    },
  );

  it('break nothing that the document before promised', () => {
    expect(unacceptedBreaks(currentDocument())).toEqual([]);
  });
});
