import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './options.ts';

const run = promisify(execFile);
const OLDEST_PYTHON = '3.10';
const PYTHONS = [['python3'], ['python'], ['py', '-3']] as const;
const TRY_MS = 20_000;
const INSTALL_MS = 600_000;

/** A program from PyPI, with the version that was tried. */
export const pythonTools = {
  schemathesis: { version: '4.32.5', program: 'st', command: 'npm run fuzz' },
  'openapi-python-client': {
    version: '0.29.1',
    program: 'openapi-python-client',
    command: 'npm run clients',
  },
} as const;

export type PythonTool = keyof typeof pythonTools;

export interface FindOptions {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  signal: AbortSignal;
}

export class PythonToolUnavailable extends Error {
  readonly exitCode = 3;
}

/**
 * Path of the program in a Python environment of its own, `.cache/venv-<tool>`; the first use creates it.
 * @throws PythonToolUnavailable without Python, or if pip fails
 */
export async function findPythonTool(tool: PythonTool, { env, say, signal }: FindOptions): Promise<string> {
  const { version } = pythonTools[tool];
  const venv = join(resolve(env.CASEWATCH_CACHE || join(ROOT, '.cache')), `venv-${tool}`);
  const bin = process.platform === 'win32' ? join(venv, 'Scripts') : join(venv, 'bin');
  const program = join(bin, pythonTools[tool].program);
  if (await isInstalled(program, { env, version })) return program;
  const [python, ...first] = await findPython(tool, env);
  say(`Installing ${tool} ${version} into ${venv}, once; this takes about a minute …`);
  // An incomplete environment, or another version.
  await rm(venv, { recursive: true, force: true });
  await installStep(tool, 'python -m venv', () =>
    run(python, [...first, '-m', 'venv', venv], { env, timeout: INSTALL_MS, signal }),
  );
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--quiet'];
  await installStep(tool, 'pip install', () =>
    run(join(bin, 'python'), [...pip, `${tool}==${version}`], { env, timeout: INSTALL_MS, signal }),
  );
  return program;
}

async function isInstalled(
  program: string,
  { env, version }: { env: NodeJS.ProcessEnv; version: string },
): Promise<boolean> {
  if (process.platform !== 'win32' && !existsSync(program)) return false;
  return run(program, ['--version'], { env, timeout: TRY_MS }).then(
    ({ stdout }) => stdout.includes(version),
    () => false,
  );
}

async function findPython(tool: PythonTool, env: NodeJS.ProcessEnv): Promise<readonly [string, ...string[]]> {
  const [major, minor] = OLDEST_PYTHON.split('.');
  const check = `import sys, venv; sys.exit(sys.version_info < (${major}, ${minor}))`;
  for (const call of PYTHONS) {
    const [program, ...first] = call;
    const works = await run(program, [...first, '-c', check], { env, timeout: TRY_MS }).then(
      () => true,
      () => false,
    );
    if (works) return call;
  }
  throw new PythonToolUnavailable(
    `Python ${OLDEST_PYTHON} or newer with venv is needed for ${pythonTools[tool].command}, and none of ` +
      `${PYTHONS.map((call) => call.join(' ')).join(', ')} is one here. Install it (apt install python3-venv, ` +
      'brew install python, or https://www.python.org) and try again.',
  );
}

async function installStep(tool: PythonTool, step: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (err) {
    const lines = ((err as { stderr?: string }).stderr ?? '').trim().split('\n');
    const line = lines.findLast((text) => text.startsWith('ERROR')) ?? lines.at(-1);
    throw new PythonToolUnavailable(
      `${tool} ${pythonTools[tool].version} could not be installed. ${step}: ${line || String(err)}\n` +
        'pip takes a mirror (PIP_INDEX_URL) and a proxy (HTTPS_PROXY) from the environment.',
      { cause: err },
    );
  }
}
