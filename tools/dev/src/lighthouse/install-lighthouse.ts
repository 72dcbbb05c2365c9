import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CliError } from '../cli-error.ts';
import { ROOT } from '../options.ts';

export const lighthouseVersion = '13.5.0';

/**
 * Path of the program. It has 115 packages, so it is not in package.json: the first use installs it into the cache, without
 * running scripts.
 */
export async function installLighthouse(): Promise<string> {
  const cache = resolve(process.env.CASEWATCH_CACHE || join(ROOT, '.cache'));
  const folder = join(cache, `lighthouse-${lighthouseVersion}`);
  const program = join(folder, 'node_modules/lighthouse/cli/index.js');
  if (existsSync(program)) return program;
  console.log(`Installing Lighthouse ${lighthouseVersion} into ${folder}, once …`);
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    await promisify(execFile)('npm', [...args, `lighthouse@${lighthouseVersion}`], { cwd: folder });
  } catch (err) {
    throw new CliError(
      `Lighthouse could not be installed: ${err instanceof Error ? err.message : String(err)}`,
    );
  }
  return program;
}
