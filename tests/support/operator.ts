import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { System } from './system.ts';

const root = join(import.meta.dirname, '../..');

/** The operator's command against the running system, while the test goes on; what `--json` says. */
export async function operator<T = unknown>(system: System, ...args: string[]): Promise<T> {
  const env = { ...process.env, CASEWATCH_DATA: system.dataDir, NODE_OPTIONS: '' };
  const command = [join(root, 'tools/dev/admin.mjs'), ...args, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env });
  return JSON.parse(stdout) as T;
}

export type Pair = { id: number; key_id: number; api_key: string; api_secret: string };

/** A new partner with its first key pair. */
export async function newPartner(system: System, name: string): Promise<Pair> {
  const args = ['partner', 'create', '--name', name, '--email', 'office@example.com'];
  return (await operator<{ partner: Pair }>(system, ...args)).partner;
}

export function headersOf({ api_key, api_secret }: Pick<Pair, 'api_key' | 'api_secret'>) {
  return { 'x-api-key': api_key, 'x-api-secret': api_secret };
}
