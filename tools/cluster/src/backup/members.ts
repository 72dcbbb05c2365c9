import { exec, kubectl } from '../kit/kubectl.ts';
import { until } from '../kit/wait.ts';

/** The members of components/mongodb; the volume of each is `data-<member>`. */
export const members = ['mongodb-0', 'mongodb-1', 'mongodb-2'] as const;

const longestMs = 300_000;

export async function inMongo(member: string, script: string, timeoutMs?: number): Promise<string> {
  // The script reads the password inside the container, so that no command line holds it.
  const signIn =
    "db.getSiblingDB('admin').auth('root', require('node:fs').readFileSync('/run/secrets/mongodb-users/root', 'utf8').trim());";
  const command = ['mongosh', '--quiet', '--norc', '--host=127.0.0.1', '--eval', `${signIn} ${script}`];
  const { code, stdout, stderr } = await exec(member, 'setup', command, timeoutMs);
  if (code === 0) return stdout.trim();
  throw new Error(`${member}: ${stderr.trim() || stdout.trim()}`);
}

export function secondary(): Promise<string> {
  return until(
    async () => {
      for (const member of members)
        if ((await inMongo(member, 'print(db.hello().secondary)')).endsWith('true')) return member;
      return null;
    },
    { what: 'a secondary', timeoutMs: longestMs },
  );
}

export function primary(): Promise<string> {
  return until(async () => /mongodb-\d/.exec(await inMongo(members[0], 'print(db.hello().primary)'))?.[0], {
    what: 'a primary',
    timeoutMs: longestMs,
  });
}

export async function scale(kind: string, replicas: number): Promise<void> {
  await kubectl(['scale', kind, `--replicas=${replicas}`]);
}
