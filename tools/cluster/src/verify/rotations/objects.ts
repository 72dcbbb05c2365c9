import { kubectl } from '../kubectl.ts';

type Stored = { kind: string; data?: Record<string, string> };

/** A Secret or ConfigMap whose entries are read and written as text. */
export type Entries = {
  read(): Promise<Record<string, string>>;
  /** Null takes an entry out. */
  write(changes: Record<string, string | null>): Promise<void>;
};

/** @param name `secret/<name>` or `configmap/<name>` */
export function entriesOf(name: string): Entries {
  const get = async () => JSON.parse(await kubectl(['get', name, '--output', 'json'])) as Stored;
  const isSecret = name.startsWith('secret/');
  return {
    async read() {
      const { data = {} } = await get();
      const text = (value: string) => (isSecret ? Buffer.from(value, 'base64').toString() : value);
      return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, text(value)]));
    },
    async write(changes) {
      const object = await get();
      const data = { ...object.data };
      for (const [key, value] of Object.entries(changes)) {
        if (value === null) delete data[key];
        else data[key] = isSecret ? Buffer.from(value).toString('base64') : value;
      }
      // By standard input: what is on a command line can be seen by everybody on this machine.
      await kubectl(['replace', '--filename', '-'], { input: JSON.stringify({ ...object, data }) });
    },
  };
}
