import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { System } from './system.ts';

type Step = { at: string; service: string; text: string; trace_id?: string };

/** `npm run admin -- explain case`, on a system of the tests. */
export async function explainCase({ dataDir }: System, reference: string): Promise<Step[]> {
  const env = { ...process.env, CASEWATCH_DATA: dataDir, MONGODB_URL: '', NATS_URL: '' };
  const args = ['tools/dev/admin.mjs', 'explain', 'case', reference, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout.slice(stdout.indexOf('['))) as Step[];
}
