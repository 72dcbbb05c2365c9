import { kubectl, tryKubectl } from '../kubectl.ts';
import { until } from '../wait.ts';
import { entriesOf } from './objects.ts';

const members = ['mongodb-0', 'mongodb-1', 'mongodb-2'];
/** What components/mongodb's setup.js says each time it has looked. */
const done = /users as the Secret says: true/g;

/** Adds (a password) and drops (null) users, and waits until every member of components/mongodb knows. */
export async function changeUsers(changes: Record<string, string | null>): Promise<void> {
  const before = await Promise.all(members.map(timesDone));
  await entriesOf(await usersSecret()).write(changes);
  // A pod whose object changes has its Secrets read anew at once, instead of within a minute or two.
  const mark = `casewatch/users-changed=${Date.now()}`;
  await kubectl(['annotate', 'pods', '--selector=app.kubernetes.io/name=mongodb', '--overwrite', mark]);
  await until(
    async () => {
      const now = await Promise.all(members.map(timesDone));
      return now.every((times, i) => times > (before[i] ?? 0));
    },
    { what: 'the users of MongoDB', timeoutMs: 240_000, intervalMs: 2_000 },
  );
}

async function timesDone(member: string): Promise<number> {
  const { stdout } = await tryKubectl(['logs', member, '--container', 'setup', '--tail=-1']);
  return stdout.match(done)?.length ?? 0;
}

async function usersSecret(): Promise<string> {
  const path = '{.spec.template.spec.volumes[?(@.name=="users")].secret.secretName}';
  return `secret/${await kubectl(['get', 'statefulset', 'mongodb', '--output', `jsonpath=${path}`])}`;
}
