import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { currentDocument, documentFile } from '../../src/openapi/committed-document.ts';
import { previousDocument } from '../../src/openapi/previous-document.ts';

describe('previousDocument', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'casewatch-openapi-'));
    mkdirSync(join(root, 'docs'));
    git('init', '--quiet');
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('is nothing if no document was committed', () => {
    expect(previousDocument(currentDocument(), root)).toBeUndefined();
  });

  it('is the last one that says something else, before and after the new one is committed', () => {
    commit('first');
    commit('second');
    expect(titleBefore('third')).toBe('second');
    commit('third');
    expect(titleBefore('third')).toBe('second');
  });

  it('is that of the latest release, once there is one', () => {
    commit('released');
    git('tag', 'v1.0.0');
    commit('since');
    expect(titleBefore('now')).toBe('released');
  });

  function titleBefore(title: string) {
    return previousDocument(titled(title), root)?.info.title;
  }

  function commit(title: string) {
    writeFileSync(join(root, documentFile), JSON.stringify(titled(title), null, 2));
    git('add', '.');
    git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', title);
  }

  function git(...args: string[]) {
    // Nothing of the surroundings: in a commit hook they name the repository itself.
    execFileSync('git', args, { cwd: root, env: { PATH: process.env.PATH } });
  }
});

function titled(title: string) {
  const document = currentDocument();
  return { ...document, info: { ...document.info, title } };
}
