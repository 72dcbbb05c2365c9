import { parseArgs } from 'node:util';

export type Settings = {
  receipts: number;
  /** Length of the even part, min. */
  minutes: number;
  /** Length of the part in which more is due than can be asked, s. */
  saturatedSeconds: number;
  /** Checks per second of which the even part asks for nine tenths; 0: what the saturated part finds. A small store is emptied too soon for that. */
  sustained: number;
  /** Requests per second that the government allows. */
  rate: number;
  /** Cache of each of the two mongods, GiB: what is watched has to fit (docs/operations.md, Scale). */
  cacheGiB: number;
};

export type ChangeSettings = {
  changes: number;
  receipts: number;
  replicas: number;
  killSeconds: number;
  rate: number;
  seed: number;
};

/** `--receipts 1000000 --minutes 20 --saturated 180 --sustained 0 --rate 1000 --cache 4` */
export function readSettings(args: readonly string[]): Settings {
  const { receipts, minutes, saturated, sustained, rate, cache } = numbers(args, {
    receipts: 1_000_000,
    minutes: 20,
    saturated: 180,
    sustained: 0,
    rate: 1_000,
    cache: 4,
  });
  return {
    receipts,
    minutes,
    saturatedSeconds: saturated,
    sustained,
    rate,
    cacheGiB: cache,
  };
}

/** `--changes 10000 --receipts 300 --replicas 2 --kill 10 --rate 200 --seed 1` */
export function readChangeSettings(args: readonly string[]): ChangeSettings {
  const { kill, ...settings } = numbers(args, {
    changes: 10_000,
    receipts: 300,
    replicas: 2,
    kill: 10,
    rate: 200,
    seed: 1,
  });
  return { ...settings, killSeconds: kill };
}

/** Options that are numbers, with their defaults. */
function numbers<T extends Record<string, number>>(args: readonly string[], defaults: T): T {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { type: 'string' as const, default: String(value) },
    ]),
  );
  const { values } = parseArgs({ args: [...args], options });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) as T;
}
