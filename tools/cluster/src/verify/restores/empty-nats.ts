import { kubectl, podsOf } from '../kubectl.ts';
import { rolledOut } from '../rolled-out.ts';

/** All three members lose their volumes at once. */
export async function emptyNats(say: (line: string) => void): Promise<void> {
  say('emptying NATS …');
  for (const { metadata } of await podsOf('nats'))
    await kubectl(['exec', metadata.name, '--container', 'nats', '--', 'sh', '-c', 'rm -rf /data/jetstream']);
  await kubectl(['delete', 'pod', '--selector=app.kubernetes.io/name=nats', '--grace-period=0', '--force']);
  await rolledOut(300_000, say);
}
