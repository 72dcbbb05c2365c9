import { kubectl, demoNamespace } from '../kit/kubectl.ts';

type Stream = { name: string; state: { messages: number } };
type JetStreamState = { account_details?: { stream_detail?: Stream[] }[] };

/** Number of messages in each stream of dead letters, at the first member of components/nats. */
export async function deadLetters(): Promise<Map<string, number>> {
  const path = `/api/v1/namespaces/${demoNamespace}/pods/nats-0:8222/proxy/jsz?streams=true`;
  const { account_details = [] } = JSON.parse(await kubectl(['get', '--raw', path])) as JetStreamState;
  const streams = account_details.flatMap(({ stream_detail = [] }) => stream_detail);
  const dead = streams.filter(({ name }) => name.startsWith('DEAD_'));
  if (dead.length === 0) throw new Error('nats-0 has no stream of dead letters');
  return new Map(dead.map(({ name, state }) => [name, state.messages]));
}
