import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartnerWithKey } from '@casewatch/driver';
import { runAdmin } from '../../services/identity/src/admin/run-admin.ts';

/** Runs a command of identity's operators on the system of `dataDir`, in this process. @returns its JSON */
export async function operator<T = unknown>(dataDir: string, ...args: string[]): Promise<T> {
  const env = JSON.parse(readFileSync(join(dataDir, 'dev-env.json'), 'utf8')).identity;
  const [printed, complaints]: [string[], string[]] = [[], []];
  const output = { out: (line: string) => printed.push(line), err: (line: string) => complaints.push(line) };
  const code = await runAdmin([...args, '--json'], env, output);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complaints.join('\n')}`);
  return JSON.parse(printed.join('\n')) as T;
}

export async function newPartner(dataDir: string, name: string): Promise<PartnerWithKey> {
  const args = ['partner', 'create', '--name', name, '--email', 'office@example.com'];
  return (await operator<{ partner: PartnerWithKey }>(dataDir, ...args)).partner;
}
