import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must, run } from '../run.ts';
import { ROOT } from '../settings.ts';

/** The files of a commit, in a folder of their own until `remove`. */
export type Checkout = { commit: string; folder: string; remove(): Promise<void> };

/** The commit of the last release, as `npm run last-release` wrote it. */
export function lastRelease(): string {
  return readFileSync(join(ROOT, 'deploy/last-release'), 'utf8').trim();
}

/** @throws Error where this clone does not have the commit */
export async function checkOut(name: string): Promise<Checkout> {
  const { code, stdout } = await run('git', ['-C', ROOT, 'rev-parse', '--verify', `${name}^{commit}`]);
  if (code !== 0) throw new Error(`There is no commit ${name} here: git fetch origin ${name}`);
  const commit = stdout.trim();
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-release-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'archive.tar');
    await must('git', ['-C', ROOT, 'archive', '--output', archive, commit]);
    await must('tar', ['--extract', '--file', archive, '--directory', folder]);
    await rm(archive);
    return { commit, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Whether the commit has a workspace of this name. */
export function hasWorkspace({ folder }: Checkout, name: string): boolean {
  return ['services', 'tools', 'libs'].some((kind) => existsSync(join(folder, kind, name)));
}
