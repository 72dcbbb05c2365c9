import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, runOrThrow } from '../../kit/run.ts';
import { ROOT } from '../settings.ts';

/** The files of a commit in a temporary folder. */
export type Checkout = { commit: string; folder: string; remove(): Promise<void> };

export function lastRelease(): string {
  return readFileSync(join(ROOT, 'deploy/last-release'), 'utf8').trim();
}

export async function checkOut(name: string): Promise<Checkout> {
  const { code, stdout } = await run('git', ['-C', ROOT, 'rev-parse', '--verify', `${name}^{commit}`]);
  if (code !== 0) throw new Error(`There is no commit ${name} here: git fetch origin ${name}`);
  const commit = stdout.trim();
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-release-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'archive.tar');
    await runOrThrow('git', ['-C', ROOT, 'archive', '--output', archive, commit]);
    await runOrThrow('tar', ['--extract', '--file', archive, '--directory', folder]);
    await rm(archive);
    return { commit, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

export function hasWorkspace({ folder }: Checkout, name: string): boolean {
  return ['services', 'tools', 'libs'].some((kind) => existsSync(join(folder, kind, name)));
}
