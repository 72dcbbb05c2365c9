import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export type Settings = {
  /** Another checkout, with its dependencies installed; null measures this one alone. */
  against: string | null;
  rounds: number;
  /** GETs of each process in each round. */
  requests: number;
};

/** `--against ../before --rounds 60 --requests 1000` */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      rounds: { type: 'string', default: '60' },
      requests: { type: 'string', default: '1000' },
    },
  });
  return {
    against: values.against === undefined ? null : resolve(values.against),
    rounds: Number(values.rounds),
    requests: Number(values.requests),
  };
}
