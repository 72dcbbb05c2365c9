import { execFile } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { PartnerKeys } from '@casewatch/driver';
import { CliError } from '../cli-error.ts';
import { baseEnv } from '../launch-node.ts';
import { ROOT } from '../options.ts';
import type { Settings } from '../settings.ts';

const TIMEOUT_MS = 60_000;
const MAIN = 'services/identity/src/admin/main.ts';

export interface DemoPartners {
  partner: PartnerKeys;
  other_partner: PartnerKeys;
  /** Members of the first one's staff, who sign in to the console. */
  staff: { email: string; role: string }[];
}

/** Creates the two demo partners; their keys are the same in every run. */
export async function seedPartners(settings: Settings, logFile: string): Promise<DemoPartners> {
  const options = { cwd: ROOT, env: { ...baseEnv(process.env), ...settings }, timeout: TIMEOUT_MS };
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [MAIN, 'seed-demo', '--json'],
      options,
    );
    await appendFile(logFile, stderr);
    // A library may print lines before the result.
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as DemoPartners;
  } catch (err) {
    const { stderr = '', message } = err as Error & { stderr?: string };
    throw new CliError(`The demo partners could not be made: ${stderr.trim() || message}`);
  }
}
