import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');

/** Runs `docker …` in the repository's root, or in another folder, and gives what it printed. @throws Error with all of its output */
export function docker(args: readonly string[], cwd = ROOT): Promise<string> {
  const child = spawn('docker', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let all = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
    all += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    all += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', (err) => reject(new Error(`docker cannot be run: ${err.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`docker ${args[0]} ended with exit code ${code}:\n${all}`));
    });
  });
}
