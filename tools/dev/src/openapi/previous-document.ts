import { spawnSync } from 'node:child_process';
import type { OpenApiDocument } from '@casewatch/contracts';
import { ROOT } from '../options.ts';
import { documentFile } from './committed-document.ts';

/**
 * The document of the latest release (tag `v…`). Before the first release: the last committed document that differs,
 * so that the check gives the same result before and after a commit.
 */
export function previousDocument(current: OpenApiDocument, root = ROOT): OpenApiDocument | undefined {
  const git = (...args: string[]) => outputOf(root, args);
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  const commits = release === undefined ? git('log', '-2', '--format=%H', '--', documentFile) : release;
  const currentText = JSON.stringify(current);
  for (const commit of commits?.trim().split('\n') ?? []) {
    const text = git('show', `${commit}:${documentFile}`);
    if (text === undefined) continue;
    const document = JSON.parse(text) as OpenApiDocument;
    if (release !== undefined || JSON.stringify(document) !== currentText) return document;
  }
  return undefined;
}

function outputOf(root: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return status === 0 && stdout !== '' ? stdout : undefined;
}
