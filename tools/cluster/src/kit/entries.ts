import { kubectl } from './kubectl.ts';

type Stored = { kind: string; data?: Record<string, string> };

/** The entries of a Secret or ConfigMap as text; `name` is `secret/<name>` or `configmap/<name>`. */
export function entriesOf(name: string) {
  const get = async () => JSON.parse(await kubectl(['get', name, '--output', 'json'])) as Stored;
  const isSecret = name.startsWith('secret/');
  return {
    async read(): Promise<Record<string, string>> {
      const { data = {} } = await get();
      const text = (value: string) => (isSecret ? Buffer.from(value, 'base64').toString() : value);
      return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, text(value)]));
    },
    /** Null removes an entry. */
    async write(changes: Record<string, string | null>): Promise<void> {
      const object = await get();
      const data = { ...object.data };
      for (const [key, value] of Object.entries(changes)) {
        if (value === null) delete data[key];
        else data[key] = isSecret ? Buffer.from(value).toString('base64') : value;
      }
      // By standard input: every user of this machine can read a command line.
      await kubectl(['replace', '--filename', '-'], { input: JSON.stringify({ ...object, data }) });
    },
  };
}

/** `secret/<name>` at a JSONPath of a workload: kustomize gives generated names a hash. */
export async function secretName(kind: string, workload: string, path: string): Promise<string> {
  const names = await kubectl(['get', kind, workload, '--output', `jsonpath=${path}`]);
  const [name = ''] = names.split(' ');
  if (name === '') throw new Error(`${workload} has no Secret at ${path}`);
  return `secret/${name}`;
}

export function natsUsersSecret(): Promise<string> {
  const path = '{.spec.template.spec.containers[0].env[*].valueFrom.secretKeyRef.name}';
  return secretName('statefulset', 'nats', path);
}
