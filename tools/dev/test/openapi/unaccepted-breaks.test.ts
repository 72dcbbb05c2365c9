import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { currentDocument, documentFile } from '../../src/openapi/committed-document.ts';
import { unacceptedBreaks } from '../../src/openapi/unaccepted-breaks.ts';

const path = '/v1/client/cases';

describe('the check for breaking changes', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'casewatch-breaks-'));
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, documentFile), JSON.stringify(currentDocument(), null, 2));
    // Nothing of the surroundings: in a commit hook they name the repository itself.
    for (const args of [
      ['init', '--quiet'],
      ['add', '.'],
      ['-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'first'],
    ])
      execFileSync('git', args, { cwd: root, env: { PATH: process.env.PATH } });
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('lets what is committed be, and additions', () => {
    const document = currentDocument();
    document.paths['/v1/new'] = { ...document.paths[path] };
    expect([unacceptedBreaks(currentDocument(), root), unacceptedBreaks(document, root)]).toEqual([[], []]);
  });

  it('bites, whatever was accepted before: an operation, a parameter and a status that are gone', () => {
    const document = currentDocument();
    delete document.paths['/v1/check'];
    const list = document.paths[path]?.get;
    if (!list) throw new Error('the document has no list of cases');
    list.parameters = list.parameters.filter((one) => !('name' in one && one.name === 'user_id'));
    delete list.responses['400'];
    expect(unacceptedBreaks(document, root)).toEqual([
      `POST /v1/check: removed`,
      `GET ${path}: query user_id removed`,
      `GET ${path}: status 400 removed`,
    ]);
  });
});
