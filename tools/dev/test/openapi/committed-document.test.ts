import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { currentDocument, documentPath, documentText } from '../../src/openapi/committed-document.ts';
import { unacceptedBreaks } from '../../src/openapi/unaccepted-breaks.ts';

describe('docs/openapi.json', () => {
  it('is what the operation table says; if it is not, remake it with npm run openapi', () => {
    const committed = existsSync(documentPath) ? readFileSync(documentPath, 'utf8') : '';
    if (committed !== documentText()) {
      throw new Error('docs/openapi.json is not what the operation table says. Remake it: npm run openapi');
    }
  });

  it('breaks nothing that the document before it promised', () => {
    expect(unacceptedBreaks(currentDocument())).toEqual([]);
  });
});
