import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { baseEnv } from '../base-env.ts';
import { ROOT } from '../options.ts';
import type { Settings } from '../settings.ts';

const TIMEOUT_MS = 60_000;

/** Runs identity's operator command with identity's own settings. */
export async function runAdmin(settings: Settings, args: string[]): Promise<void> {
  const env = { ...baseEnv(process.env), ...settings };
  await promisify(execFile)(process.execPath, ['services/identity/src/admin/main.ts', ...args], {
    cwd: ROOT,
    env,
    timeout: TIMEOUT_MS,
  });
}
