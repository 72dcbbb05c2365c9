import mongoose from 'mongoose';
import { inTransaction } from './steps.ts';

/** Called before each step of a procedure. */
export type Gate = (step: string) => Promise<void>;

/** A procedure that is let on step by step. */
export type Actor = {
  /** The step that it stands before; undefined = it is done, or waits for a lock. */
  next(): string | undefined;
  /** Its last step met what the other had locked: it would try in vain until the other does something. */
  isStalled(): boolean;
  isDone(): boolean;
  /** Lets it do one step; resolves when it stands before the next one, is done, or at `giveUp`. */
  step(giveUp: Promise<unknown>): Promise<void>;
  /** The other did something. */
  stir(): void;
  /** Ends it where it stands, as a process that dies does: what it had not committed is gone. */
  crash(): Promise<void>;
  /** Rejects with what it threw. */
  readonly done: Promise<void>;
};

/** Starts a procedure, which stops before its first step. */
export async function startActor(procedure: (gate: Gate) => Promise<unknown>): Promise<Actor> {
  let next: string | undefined;
  let last: string | undefined;
  let isStalled = false;
  let isCrashed = false;
  let isDone = false;
  let release = Promise.withResolvers<void>();
  let arrived = Promise.withResolvers<void>();

  const gate: Gate = async (step) => {
    isStalled = last === step;
    next = step;
    release = Promise.withResolvers();
    arrived.resolve();
    await release.promise;
    if (isCrashed) throw new Error('crashed');
  };
  const done = procedure(gate)
    .then(() => undefined)
    .catch((error: unknown) => {
      if (!isCrashed) throw error;
    })
    .finally(() => {
      isDone = true;
      next = undefined;
      arrived.resolve();
    });
  // Whoever waits for it hears of it.
  done.catch(() => undefined);
  await arrived.promise;

  return {
    next: () => next,
    isStalled: () => isStalled,
    isDone: () => isDone,
    done,
    stir() {
      isStalled = false;
    },
    async step(giveUp) {
      if (isDone) return;
      if (next !== undefined) {
        last = next;
        next = undefined;
        arrived = Promise.withResolvers();
        release.resolve();
      }
      await Promise.race([arrived.promise, giveUp]);
    },
    async crash() {
      isCrashed = true;
      release.resolve();
      await done;
    },
  };
}

type Stepped = { name: string; of: readonly string[]; gate: Gate };

/** The same object, some of whose calls wait at the gate first. */
export function steppedBy<T extends object>(target: T, { name: owner, of, gate }: Stepped): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || !of.includes(String(name))) return value;
      return async (...args: unknown[]) => {
        const step = `${owner}.${String(name)}`;
        const hasSession = args.some((arg) => arg instanceof mongoose.mongo.ClientSession);
        await gate(hasSession ? inTransaction(step) : step);
        return await value.apply(target, args);
      };
    },
  });
}

/** Chooses one of so many ways to go on: 0 to `count` - 1. */
export type Choose = (count: number) => number;

/** Runs `run` once for each way of choosing, depth first; returns how many there were. */
export async function exploreAll(run: (choose: Choose) => Promise<void>): Promise<number> {
  let path: { chosen: number; count: number }[] = [];
  for (let runs = 1; ; runs++) {
    let depth = 0;
    await run((count) => {
      const known = path[depth];
      const chosen = Math.min(known?.chosen ?? 0, count - 1);
      path[depth] = { chosen, count };
      depth += 1;
      return chosen;
    });
    path = path.slice(0, depth);
    // The last choice that has another way left is made differently next time.
    while ((path.at(-1)?.chosen ?? 0) + 1 >= (path.at(-1)?.count ?? Number.POSITIVE_INFINITY)) path.pop();
    const last = path.at(-1);
    if (!last) return runs;
    path[path.length - 1] = { ...last, chosen: last.chosen + 1 };
  }
}
