import type { Reached } from './reach.ts';
import type { Settings } from './settings.ts';

/** What a check has to work with; `reached` once the system is up. */
export type Situation = {
  settings: Settings;
  say(line: string): void;
  reached(): Promise<Reached>;
};

export type Outcome = { ok: boolean; measured: string };

/** One promise of the deployment, and how it is put to the test. */
export type Check = {
  name: string;
  promise: string;
  run(situation: Situation): Promise<Outcome>;
};
