import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Received } from './receiver.ts';

const run = promisify(execFile);

/** The package is pure Python and has no dependencies. */
const distribution = 'standardwebhooks==1.1.0';

const program = `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
secrets, headers, body = json.load(open(sys.argv[1]))
def verifies(secret):
    try:
        Webhook(secret).verify(body, headers)
        return True
    except WebhookVerificationError:
        return False
print(json.dumps([verifies(secret) for secret in secrets]))
`;

type Judge = (secrets: string[], call: Received) => Promise<boolean[]>;

/** Verifies with the standardwebhooks of PyPI. Null, with a warning, on a machine without pip or without an index. */
export async function pythonJudge(): Promise<Judge | null> {
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-judge-'));
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-input', '--target', folder];
  try {
    await run('python3', ['-m', 'pip', 'install', ...quiet, distribution], { timeout: 60_000 });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    console.warn(
      `NOT TESTED: ${distribution} of PyPI could not be installed. ${String(error).slice(0, 200)}`,
    );
    return null;
  }
  return async (secrets, { headers, body }) => {
    try {
      await writeFile(join(folder, 'call.json'), JSON.stringify([secrets, headers, body]));
      const env = { ...process.env, PYTHONPATH: folder };
      const { stdout } = await run('python3', ['-c', program, join(folder, 'call.json')], { env });
      return JSON.parse(stdout) as boolean[];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}
