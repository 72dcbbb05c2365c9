import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartnerWithKey } from '@casewatch/driver';
import { runAdmin } from '../../services/identity/src/admin/run-admin.ts';

/** A command gives up after 2 s without MongoDB, or 1 s without a connection. A worker that loads six services may be busy for longer. */
const tries = 10;
const gaveUp = /Server selection timed out|Timed out while checking out a connection/;

/** Runs a command of identity's operators on the system of `dataDir`, in this process. @returns its JSON */
export async function operator<T = unknown>(dataDir: string, ...args: string[]): Promise<T> {
  const env = JSON.parse(readFileSync(join(dataDir, 'dev-env.json'), 'utf8')).identity;
  let complaints: string[] = [];
  for (let attempt = 1; attempt <= tries; attempt++) {
    const printed: string[] = [];
    complaints = [];
    const output = {
      out: (line: string) => printed.push(line),
      err: (line: string) => complaints.push(line),
    };
    const code = await runAdmin([...args, '--json'], env, output);
    if (code === 0) return JSON.parse(printed.join('\n')) as T;
    if (!gaveUp.test(complaints.join())) break;
  }
  throw new Error(`${args.join(' ')} failed: ${complaints.join('\n')}`);
}

export async function newPartner(dataDir: string, name: string): Promise<PartnerWithKey> {
  const args = ['partner', 'create', '--name', name, '--email', 'office@example.com'];
  return (await operator<{ partner: PartnerWithKey }>(dataDir, ...args)).partner;
}
