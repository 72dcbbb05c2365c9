import { parseArgs } from 'node:util';

export type Settings = {
  /** Length of each round, min. */
  minutes: number;
  /** Requests per second that the government allows. */
  rate: number;
  /** How many replicas there are in each round. */
  replicas: number[];
};

/** `--minutes 10 --rate 5 --replicas 1,2,4` */
export function readSettings(args: readonly string[]): Settings {
  const option = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: option('10'), rate: option('5'), replicas: option('1,2,4') },
  });
  return {
    minutes: Number(values.minutes),
    rate: Number(values.rate),
    replicas: values.replicas.split(',').map(Number),
  };
}
