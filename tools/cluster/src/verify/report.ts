import type { Check, Outcome, Situation } from './check.ts';

/** Runs checks one after the other and tells of them in a table. */
export function createReport() {
  const rows: (Check & Outcome & { seconds: number })[] = [];
  return {
    async add(check: Check, situation: Situation): Promise<void> {
      situation.say(`${check.name}: ${check.promise} …`);
      const started = performance.now();
      const outcome = await check.run(situation).catch((err: unknown) => failed(err));
      const seconds = (performance.now() - started) / 1000;
      situation.say(`${check.name}: ${outcome.ok ? 'holds' : 'DOES NOT HOLD'}: ${outcome.measured}`);
      rows.push({ ...check, ...outcome, seconds });
    },
    isGood: () => rows.every(({ ok }) => ok),
    print(): void {
      console.log('\n| check | promise | holds | measured | took |\n|---|---|---|---|---|');
      for (const { name, promise, ok, measured, seconds } of rows)
        console.log(
          `| ${name} | ${promise} | ${ok ? 'yes' : 'NO'} | ${measured} | ${seconds.toFixed(0)} s |`,
        );
    },
  };
}

function failed(err: unknown): Outcome {
  return {
    ok: false,
    measured: (err instanceof Error ? err.message : String(err)).replaceAll(/\s*\n\s*/g, ' '),
  };
}
