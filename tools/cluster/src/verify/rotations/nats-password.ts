import { kubectl } from '../kubectl.ts';
import { entriesOf } from './objects.ts';

/** A service's new password, for the last member of components/nats alone: the others know the former one. */
export async function newPasswordAtLastMember(service: string, password: string): Promise<void> {
  await entriesOf(await natsUsersSecret()).write({ [service]: password });
  await updateFrom(2);
  await kubectl(['rollout', 'restart', 'statefulset/nats']);
  await waitForMembers();
}

/** The other members take it too, one after the other. */
export async function newPasswordEverywhere(): Promise<void> {
  await updateFrom(0);
  await waitForMembers();
}

/** Members with this number and above are updated. */
async function updateFrom(partition: number): Promise<void> {
  const patch = { spec: { updateStrategy: { rollingUpdate: { partition } } } };
  await kubectl(['patch', 'statefulset', 'nats', '--patch', JSON.stringify(patch)]);
}

async function waitForMembers(): Promise<void> {
  await kubectl(['rollout', 'status', 'statefulset/nats', '--timeout=400s']);
}

/** `secret/<name>` of components/nats' users; its name has a hash where kustomize makes it. */
export async function natsUsersSecret(): Promise<string> {
  const path = '{.spec.template.spec.containers[0].env[*].valueFrom.secretKeyRef.name}';
  const names = await kubectl(['get', 'statefulset', 'nats', '--output', `jsonpath=${path}`]);
  return `secret/${names.split(' ')[0]}`;
}
