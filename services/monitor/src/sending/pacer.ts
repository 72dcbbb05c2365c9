import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWakeableTimer, type HeldLease } from '@casewatch/platform';
import type { Lane } from '../domain/quota.ts';
import type { Budget, Permit } from './budget.ts';
import type { Slots } from './slots.ts';
import { type SendOrder, type Turn, TurnRefusedError } from './turn.ts';
import type { Upstream } from './upstream.ts';
import { waitUntil } from './wait-until.ts';

type Wish = {
  /** Who goes first: somebody who waits, or the schedule. */
  queue: Lane;
  /** Whose part of the day it costs: a retry costs the background's, whoever waits for it. */
  lane: Lane;
  /** Longest wait for the turn, ms. */
  withinMs: number;
};

type Waiter = {
  queue: Lane;
  permit: Permit;
  timer: NodeJS.Timeout | undefined;
  grant: (turn: Turn) => void;
  refuse: (error: TurnRefusedError) => void;
};

type Options = {
  lease: HeldLease;
  order: SendOrder;
  budget: Budget;
  slots: Slots;
  upstream: Pick<Upstream, 'blockedBy' | 'turnGiven' | 'turnMissed'>;
  /** Time until the next day's budget begins, ms. */
  msUntilNextDay: () => number;
};

/**
 * Gives out turns one by one, as far apart as the rate asks. Lease, day and slot are judged again at the moment of
 * writing: a process that was frozen in between sends nothing.
 */
export function createPacer({ lease, order, budget, slots, upstream, msUntilNextDay }: Options) {
  const queues: Record<Lane, Waiter[]> = { interactive: [], background: [] };
  const waker = createWakeableTimer(lease.signal);

  async function takePermit(lane: Lane): Promise<Permit> {
    const permit = await budget.take(lane);
    if (!permit) throw new TurnRefusedError('the day’s budget is used', msUntilNextDay());
    return permit;
  }

  function makeTurn({ permit }: Waiter, slotMs: number): Turn {
    const sent = order(lease.fence);
    let state: 'open' | 'written' | 'missed' = 'open';
    const isHeld = () => lease.validForMs() > 0 && !lease.signal.aborted;
    return {
      sent,
      get isWritten() {
        return state === 'written';
      },
      mayWrite() {
        const nowMs = performance.now();
        const isKept = isHeld() && budget.holds(permit) && slots.isKept(slotMs, nowMs);
        if (state !== 'open' || !isKept) return false;
        state = 'written';
        slots.written(nowMs);
        return true;
      },
      release() {
        if (state !== 'open') return;
        state = 'missed';
        budget.giveBack(permit);
        upstream.turnMissed();
      },
    };
  }

  /** Whoever holds a permit of yesterday asks again. */
  function next(): Waiter | undefined {
    for (const queue of [queues.interactive, queues.background]) {
      for (let waiter = queue.shift(); waiter; waiter = queue.shift()) {
        if (budget.holds(waiter.permit)) return waiter;
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
    const queue = queues[waiter.queue];
    queue.splice(queue.indexOf(waiter), 1);
    refuse(waiter, new TurnRefusedError('no turn in time', 1_000));
  }

  function refuseAll(error: TurnRefusedError): void {
    for (const queue of Object.values(queues)) for (const waiter of queue.splice(0)) refuse(waiter, error);
  }

  async function step(): Promise<void> {
    if (queues.interactive.length + queues.background.length === 0) {
      await waker.sleep(1_000);
      return;
    }
    const refusal = upstream.blockedBy();
    if (refusal) return refuseAll(refusal);
    const slotMs = slots.nextMs(performance.now());
    await waitUntil(slotMs, slots.intervalMs(), lease.signal);
    // Over, or the request before was written later than its own slot: then the next one is another.
    if (lease.signal.aborted || !slots.isKept(slotMs, performance.now()) || upstream.blockedBy()) return;
    const waiter = next();
    if (!waiter) return;
    clearTimeout(waiter.timer);
    slots.taken(slotMs);
    upstream.turnGiven();
    waiter.grant(makeTurn(waiter, slotMs));
    // The next slot is judged when this turn was used, if its connection was there.
    await nextTurn();
  }

  return {
    /** The next turn to send, interactive ones first. @throws TurnRefusedError */
    async turn({ queue, lane, withinMs }: Wish): Promise<Turn> {
      const refusal = upstream.blockedBy();
      if (refusal) throw refusal;
      const permit = await takePermit(lane);
      return await new Promise<Turn>((grant, reject) => {
        const waiter: Waiter = { queue, permit, timer: undefined, grant, refuse: reject };
        if (lease.signal.aborted) return refuse(waiter, new TurnRefusedError('the lease has ended', 1_000));
        queues[queue].push(waiter);
        if (withinMs < Number.POSITIVE_INFINITY) waiter.timer = setTimeout(() => expire(waiter), withinMs);
        waker.wake();
      });
    },
    async run(): Promise<void> {
      while (!lease.signal.aborted) await step();
      refuseAll(new TurnRefusedError('the lease has ended', 1_000));
    },
  };
}
