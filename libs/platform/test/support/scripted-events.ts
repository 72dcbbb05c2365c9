import { ApiError, NotYetError, PoisonError } from '@casewatch/platform';

/** How one try of an event ends, and how all tries end after those. */
export type Step = 'away' | 'not yet' | 'failed';
export type Ending = 'done' | 'poison' | 'not yet' | 'failed';
export type Script = { steps: Step[]; ending: Ending; durationMs: number };

const passing: Step[] = ['away', 'not yet', 'failed'];
const endings: Ending[] = [
  ...Array.from({ length: 12 }, () => 'done' as const),
  'poison',
  'poison',
  'not yet',
  'failed',
];

/** One random life of an event: up to three tries that fail, then its ending. */
export function randomScript(random: (below: number) => number): Script {
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const steps = Array.from({ length: random(4) }, () => pick(passing));
  return { steps, ending: pick(endings), durationMs: random(20) };
}

/** What the model says of an event: handled, dead, or tried again without an end. */
export function expectedEnd({ ending }: Script): string {
  if (ending === 'done') return 'done';
  return `${ending === 'poison' ? 'dead' : 'waiting'}: ${ending}`;
}

const failures = {
  away: () => new ApiError('service_unavailable'),
  'not yet': () => new NotYetError('the object is not known here yet'),
  failed: () => new TypeError('a fault of the program'),
  poison: () => new PoisonError('an invariant is broken'),
};

/** Plays the scripts as a handler would, whichever replica an event comes to, and keeps what happened. */
export function playScripts(scripts: readonly Script[]) {
  const tries = scripts.map(() => 0);
  const running = scripts.map(() => 0);
  const done = scripts.map(() => 0);
  const together = new Set<number>();
  return {
    done,
    /** Events that two handlers had at the same time. */
    together,
    /** Events that some handler has at this moment. */
    underWay: () => scripts.flatMap((_, id) => (running[id] ? [id] : [])),
    async handle(id: number): Promise<void> {
      const script = scripts[id];
      if (!script) throw new Error(`no event ${id}`);
      running[id] = (running[id] ?? 0) + 1;
      if (running[id] > 1) together.add(id);
      const end = script.steps[tries[id] ?? 0] ?? script.ending;
      tries[id] = (tries[id] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, script.durationMs));
      running[id] -= 1;
      if (end !== 'done') throw failures[end]();
      done[id] = (done[id] ?? 0) + 1;
    },
  };
}
