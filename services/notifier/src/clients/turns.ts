/** Right of a mail to end. Only few mails of a process have it: a kill can double each of them. */
export type Turn = {
  /** Resolves when the mail may end; never after `signal` aborts: then too little time is left for the answer. */
  come(): Promise<void>;
  /** The end of the mail goes out now: from here on the server may accept it. */
  ends(): void;
  /**
   * `content`: the mail is on its way; `waiting`: its content is complete; `turn`: it may end; `ended`: the server may accept it.
   */
  readonly progress: 'content' | 'waiting' | 'turn' | 'ended';
  /** The server answered: from now on the turn lasts until `end`. */
  answered(): void;
  end(): void;
};

export type Turns = { next(options: { isUrgent: boolean; signal: AbortSignal }): Turn };

type Options = {
  /** Mails that have their turn at the same time. */
  count: number;
  /** A server needs longer than `lateMs` for its answer: the turn passes to another mail. */
  onLate: () => void;
};

/** Longer than mail servers take to scan a mail, shorter than the time in which a login code must arrive, ms. */
const lateMs = 2_000;

export function createTurns({ count, onLate }: Options): Turns {
  let free = count;
  const waiting = { urgent: new Set<() => void>(), other: new Set<() => void>() };

  function pass(): void {
    for (const queue of [waiting.urgent, waiting.other]) {
      for (const start of queue) {
        if (free === 0) return;
        free -= 1;
        queue.delete(start);
        start();
      }
    }
  }

  return {
    next({ isUrgent, signal }) {
      const queue = isUrgent ? waiting.urgent : waiting.other;
      let progress: Turn['progress'] = 'content';
      let isHeld = false;
      let isOver = false;
      let late: NodeJS.Timeout | undefined;
      const { promise: started, resolve } = Promise.withResolvers<void>();

      function start(): void {
        isHeld = true;
        late = setTimeout(() => {
          onLate();
          end();
        }, lateMs);
        resolve();
      }

      function end(): void {
        isOver = true;
        queue.delete(start);
        clearTimeout(late);
        if (!isHeld) return;
        isHeld = false;
        free += 1;
        pass();
      }

      return {
        async come() {
          progress = 'waiting';
          signal.addEventListener('abort', () => queue.delete(start), { once: true });
          if (!signal.aborted && !isOver) queue.add(start);
          pass();
          await started;
          progress = 'turn';
        },
        ends() {
          progress = 'ended';
        },
        get progress() {
          return progress;
        },
        answered: () => clearTimeout(late),
        end,
      };
    },
  };
}
