import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PartnerKeys } from './dev-file.ts';

const root = join(import.meta.dirname, '../../..');
const timeoutMs = 60_000;

/** Runs `npm run admin` on the system of `dataDir` and returns its JSON. */
export async function operator<T = unknown>(dataDir: string, ...args: string[]): Promise<T> {
  // The servers' addresses come from `dataDir`, not from the caller's environment.
  const own = { CASEWATCH_DATA: dataDir, NODE_OPTIONS: '', MONGODB_URL: '', NATS_URL: '' };
  const command = [join(root, 'tools/dev/admin.mjs'), ...args, '--json'];
  const options = { cwd: root, env: { ...process.env, ...own }, timeout: timeoutMs };
  const { stdout } = await promisify(execFile)(process.execPath, command, options);
  return JSON.parse(stdout) as T;
}

export type PartnerWithKey = PartnerKeys & { key_id: number };
