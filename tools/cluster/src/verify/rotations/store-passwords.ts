import { entriesOf, natsUsersSecret, secretName } from '../../kit/entries.ts';
import { kubectl, tryKubectl } from '../../kit/kubectl.ts';
import { refreshSecrets, restart, waitForRollout } from '../../kit/rollouts.ts';
import { until } from '../../kit/wait.ts';

const members = ['mongodb-0', 'mongodb-1', 'mongodb-2'];
/** The line that components/mongodb's setup.js logs each time it has compared the users. */
const compared = /users as the Secret says: true/g;

/** Adds users of MongoDB (a password) and drops users (null), and waits until every member has compared its users. */
export async function changeMongodbUsers(changes: Record<string, string | null>): Promise<void> {
  const countCompared = async (member: string) => {
    const { stdout } = await tryKubectl(['logs', member, '--container', 'setup', '--tail=-1']);
    return stdout.match(compared)?.length ?? 0;
  };
  const before = await Promise.all(members.map(countCompared));
  const path = '{.spec.template.spec.volumes[?(@.name=="users")].secret.secretName}';
  await entriesOf(await secretName('statefulset', 'mongodb', path)).write(changes);
  await refreshSecrets('mongodb');
  await until(
    async () => {
      const now = await Promise.all(members.map(countCompared));
      return now.every((count, i) => count > (before[i] ?? 0));
    },
    { what: 'the users of MongoDB', timeoutMs: 240_000, intervalMs: 2_000 },
  );
}

/** Gives the last member of components/nats the new password of a service; the other members keep the former one. */
export async function newPasswordAtLastMember(service: string, password: string): Promise<void> {
  await entriesOf(await natsUsersSecret()).write({ [service]: password });
  await updateFrom(2);
  await restart('statefulset/nats', 400);
}

export async function newPasswordEverywhere(): Promise<void> {
  await updateFrom(0);
  await waitForRollout('statefulset/nats', 400);
}

async function updateFrom(partition: number): Promise<void> {
  const patch = { spec: { updateStrategy: { rollingUpdate: { partition } } } };
  await kubectl(['patch', 'statefulset', 'nats', '--patch', JSON.stringify(patch)]);
}
