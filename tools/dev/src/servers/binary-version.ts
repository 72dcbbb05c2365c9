import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 20_000;

/**
 * The version that `<path> --version` prints.
 * @throws Error if the program does not run; the message names missing libraries
 */
export async function binaryVersion(path: string): Promise<string> {
  const { stdout } = await run(path);
  // "db version v6.0.5", "nats-server: v2.15.1"
  const match = /v(\d+\.\d+\.\d+)/.exec(stdout);
  if (match?.[1] === undefined) throw new Error(`${path} --version names no version`);
  return match[1];
}

async function run(path: string): Promise<{ stdout: string }> {
  try {
    return await promisify(execFile)(path, ['--version'], { timeout: TIMEOUT_MS });
  } catch (err) {
    const stderr = (err as { stderr?: string }).stderr ?? '';
    // "mongod: error while loading shared libraries: libcurl.so.4: cannot open shared object file: …"
    const library = /loading shared libraries: (\S+):/.exec(stderr)?.[1];
    if (library !== undefined) {
      const hint = library.startsWith('libcurl') ? ' (Debian and Ubuntu: apt-get install libcurl4)' : '';
      throw new Error(`${path} needs ${library}, which this machine lacks${hint}`);
    }
    const line = stderr.trim().split('\n')[0] || (err instanceof Error ? err.message : String(err));
    throw new Error(`${path} cannot be run: ${line}`);
  }
}
