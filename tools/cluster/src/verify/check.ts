import { checkDemonstration } from '../kit/demonstration.ts';
import { type RemoteSystem, reach } from './reach.ts';
import type { Settings } from './settings.ts';

export type CheckContext = {
  settings: Settings;
  say(line: string): void;
  /** Connects to the system at the first call. */
  reached(): Promise<RemoteSystem>;
};

export type Outcome = { ok: boolean; measured: string };

export type Check = {
  name: string;
  promise: string;
  run(context: CheckContext): Promise<Outcome>;
};

export function contextOf(settings: Settings): CheckContext {
  let system: Promise<RemoteSystem> | undefined;
  const started = performance.now();
  const say = (line: string) =>
    console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  return {
    settings,
    say,
    reached() {
      system ??= reach(settings, say);
      return system;
    },
  };
}

/** Runs checks one after the other and prints a table. @returns whether all passed */
export async function runChecks(checks: readonly Check[], context: CheckContext): Promise<boolean> {
  const rows: string[] = [];
  let allPassed = true;
  for (const { name, promise, run } of checks) {
    context.say(`${name}: ${promise} …`);
    const started = performance.now();
    const { ok, measured } = await checkDemonstration()
      .then(() => run(context))
      .catch(failed);
    const seconds = (performance.now() - started) / 1000;
    context.say(`${name}: ${ok ? 'holds' : 'DOES NOT HOLD'}: ${measured}`);
    rows.push(`| ${name} | ${promise} | ${ok ? 'yes' : 'NO'} | ${measured} | ${seconds.toFixed(0)} s |`);
    allPassed &&= ok;
  }
  console.log('\n| check | promise | holds | measured | took |\n|---|---|---|---|---|');
  for (const row of rows) console.log(row);
  return allPassed;
}

function failed(err: unknown): Outcome {
  const message = err instanceof Error ? err.message : String(err);
  return { ok: false, measured: message.replaceAll(/\s*\n\s*/g, ' ') };
}
