import type { Context } from '../context.ts';
import type { Change } from '../domain/receipt.ts';

export type Brake = ReturnType<typeof createBrake>;

const answersJudged = 500;
const maxDetails = 50;
/** Least time between two alarms about held changes, ms. */
const alarmEveryMs = 10 * 60 * 1_000;

/** Holds changed words in many cases at the same time (docs/adr/0042). `isOn`: a new sender found changes on which the operator has not decided. */
export function createBrake({ log, metrics }: Pick<Context, 'log' | 'metrics'>, isOn: boolean) {
  const recent: boolean[] = isOn ? Array.from({ length: maxDetails + 1 }, () => true) : [];
  let alarmAtMs = 0;

  return {
    isOn: () => recent.filter((isDetails) => isDetails).length > maxDetails,
    /** Counts an answer with an unchanged title, and alarms the operator about a held change. */
    note(change: Change | null): void {
      if (change && change.kind !== 'details' && change.kind !== 'translation') return;
      const isHeld = change?.skip_reason === 'held';
      recent.push(isHeld || (change?.kind === 'details' && change.skip_reason === null));
      if (recent.length > answersJudged) recent.shift();
      if (!isHeld) return;
      metrics.all['monitor.held_updates'].add(1);
      if (performance.now() < alarmAtMs) return;
      alarmAtMs = performance.now() + alarmEveryMs;
      log.error(
        { alarm: 'updates_held' },
        'many receipts changed in the same way; an operator has to decide',
      );
    },
  };
}
