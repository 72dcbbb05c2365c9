import type { HeldLease } from '@casewatch/platform';
import { pause } from '@casewatch/platform';
import { type Turn, TurnRefusedError } from '../clients/uscis.ts';
import type { Lane } from '../store/upstream-budget.ts';
import type { Budget, Permit } from './budget.ts';
import type { Slots } from './slots.ts';

export type Pacer = {
  /**
   * The next turn to send, interactive ones first. `withinMs`: longest wait for it.
   * @throws TurnRefusedError
   */
  turn(lane: Lane, withinMs: number): Promise<Turn>;
  run(): Promise<void>;
};

type Waiter = {
  permit: Permit;
  timer: NodeJS.Timeout | undefined;
  grant: (turn: Turn) => void;
  refuse: (error: TurnRefusedError) => void;
};

type Options = {
  lease: HeldLease;
  budget: Budget;
  slots: Slots;
  /** Null = send; else why not, and for how long. */
  obstacle: () => TurnRefusedError | null;
  /** A turn was given; a turn was not used. */
  onGranted: () => void;
  onMissed: () => void;
  /** Time until the day's budget begins anew, ms. */
  msUntilNextDay: () => number;
};

/** Requests sent by this process, over all its leases: the lower digits of their order. */
let count = 0;

/**
 * Gives out turns one by one, as far apart as the rate asks. Lease and slot are judged again at the moment of writing:
 * a process that was frozen in between sends nothing.
 */
export function createPacer({ lease, budget, slots, ...options }: Options): Pacer {
  const queues: Record<Lane, Waiter[]> = { interactive: [], background: [] };
  let wake: (() => void) | undefined;

  async function takePermit(lane: Lane): Promise<Permit> {
    const permit = await budget.take(lane);
    if (!permit) throw new TurnRefusedError('the day’s budget is used', options.msUntilNextDay());
    return permit;
  }

  function makeTurn({ permit }: Waiter, slotMs: number): Turn {
    // Fences grow with each holder, counts within one process: so later requests have the higher number.
    const sent = lease.fence * 2 ** 32 + ++count;
    let isOver = false;
    const mayWrite = () => {
      const nowMs = performance.now();
      const isMissed =
        isOver || slots.isMissed(slotMs, nowMs) || lease.validForMs() <= 0 || lease.signal.aborted;
      if (!isMissed) slots.written(nowMs);
      else if (!isOver) {
        budget.giveBack(permit);
        options.onMissed();
      }
      isOver = true;
      return !isMissed;
    };
    return { sent, mayWrite };
  }

  /** Whoever holds a permit of yesterday asks again. */
  function next(): Waiter | undefined {
    for (const queue of [queues.interactive, queues.background]) {
      for (let waiter = queue.shift(); waiter; waiter = queue.shift()) {
        if (waiter.permit.day === budget.today()) return waiter;
        refuse(waiter, new TurnRefusedError('the quota’s day has ended', 1_000));
      }
    }
    return undefined;
  }

  function refuse(waiter: Waiter, error: TurnRefusedError): void {
    clearTimeout(waiter.timer);
    budget.giveBack(waiter.permit);
    waiter.refuse(error);
  }

  function expire(waiter: Waiter): void {
    const queue = queues[waiter.permit.lane];
    queue.splice(queue.indexOf(waiter), 1);
    refuse(waiter, new TurnRefusedError('no turn in time', 1_000));
  }

  function refuseAll(lanes: readonly Lane[], error: TurnRefusedError): void {
    for (const lane of lanes) for (const waiter of queues[lane].splice(0)) refuse(waiter, error);
  }

  async function sleep(ms: number): Promise<void> {
    const woken = new AbortController();
    wake = () => woken.abort();
    await pause(ms, AbortSignal.any([woken.signal, lease.signal]));
    wake = undefined;
  }

  async function step(): Promise<void> {
    if (queues.interactive.length + queues.background.length === 0) return await sleep(1_000);
    const obstacle = options.obstacle();
    if (obstacle) return refuseAll(['interactive', 'background'], obstacle);
    const slotMs = slots.nextMs(performance.now());
    await pause(Math.max(0, slotMs - performance.now()), lease.signal);
    if (lease.signal.aborted || slots.isMissed(slotMs, performance.now()) || options.obstacle()) return;
    const waiter = next();
    if (!waiter) return;
    clearTimeout(waiter.timer);
    slots.taken(slotMs);
    options.onGranted();
    waiter.grant(makeTurn(waiter, slotMs));
  }

  return {
    async turn(lane, withinMs) {
      const obstacle = options.obstacle();
      if (obstacle) throw obstacle;
      const permit = await takePermit(lane);
      return await new Promise<Turn>((grant, reject) => {
        const waiter: Waiter = { permit, timer: undefined, grant, refuse: reject };
        if (lease.signal.aborted) return refuse(waiter, new TurnRefusedError('the lease has ended', 1_000));
        queues[lane].push(waiter);
        if (withinMs < Number.POSITIVE_INFINITY) waiter.timer = setTimeout(() => expire(waiter), withinMs);
        wake?.();
      });
    },
    async run() {
      while (!lease.signal.aborted) await step();
      refuseAll(['interactive', 'background'], new TurnRefusedError('the lease has ended', 1_000));
    },
  };
}
