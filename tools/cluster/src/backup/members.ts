import { exec, kubectl } from '../verify/kubectl.ts';
import { until } from '../verify/wait.ts';

/** The members of components/mongodb; each has a volume of its own, `data-<member>`. */
export const members = ['mongodb-0', 'mongodb-1', 'mongodb-2'] as const;

const longestMs = 300_000;

/** Runs a script in mongosh as root, on the member itself. @throws Error with what it said */
export async function inMongo(member: string, script: string, timeoutMs?: number): Promise<string> {
  // The password stays in the container: it comes from the Secret's file, and is in no argument.
  const signIn =
    "db.getSiblingDB('admin').auth('root', require('node:fs').readFileSync('/run/secrets/mongodb-users/root', 'utf8').trim());";
  const command = ['mongosh', '--quiet', '--norc', '--host=127.0.0.1', '--eval', `${signIn} ${script}`];
  const { code, stdout, stderr } = await exec(member, 'setup', command, timeoutMs);
  if (code === 0) return stdout.trim();
  throw new Error(`${member}: ${stderr.trim() || stdout.trim()}`);
}

/** A member that is up to date and has no writes of its own. */
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

/** Waits until the set has a primary again. */
export function primary(): Promise<string> {
  return until(async () => /mongodb-\d/.exec(await inMongo(members[0], 'print(db.hello().primary)'))?.[0], {
    what: 'a primary',
    timeoutMs: longestMs,
  });
}

export async function scale(kind: string, replicas: number): Promise<void> {
  await kubectl(['scale', kind, `--replicas=${replicas}`]);
}
