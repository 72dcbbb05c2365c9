import { createWakeableTimer, pause } from '@casewatch/platform';
import type { HeldLease } from '@casewatch/platform/database';
import type { Priority } from '../domain/quota.ts';
import type { Budget, QuotaToken } from './budget.ts';
import { maxDelayMs, type Slots } from './slots.ts';
import { SendRefusedError, type Upstream } from './upstream.ts';

/** The right to write one request in one slot. `sent`: place of the request in the order of sending. */
export type SendPermit = {
  readonly sent: number;
  /** Asked once, at the moment of writing; false = the slot is over. */
  mayWrite(): boolean;
  release(): void;
};

const longestSleepMs = 60_000;

/** The place of a further request in the order of sending; it grows with each call and with each fence. */
export type SendOrder = (fence: number) => number;

/** The order of one replica, for all its terms: if nobody took its lease over, its next term has the same fence. */
export function createSendOrder(): SendOrder {
  let requests = 0;
  return (fence) => {
    requests += 1;
    return fence * 2 ** 32 + requests;
  };
}

type PendingRequest = PromiseWithResolvers<SendPermit> & { token: QuotaToken };

type Options = {
  lease: HeldLease;
  budget: Budget;
  slots: Slots;
  upstream: Pick<Upstream, 'blockedBy' | 'permitGranted'>;
  order: SendOrder;
};

/** Grants permits at the pace of the slots. A process that was frozen after the grant sends nothing: all is checked at the write. */
export function createPacer({ lease, budget, slots, upstream, order }: Options) {
  const queues: Record<Priority, PendingRequest[]> = { interactive: [], background: [] };
  const idleTimer = createWakeableTimer(lease.signal);
  const ended = new SendRefusedError('the lease has ended', 1_000);

  function refuse(request: PendingRequest, error: SendRefusedError): void {
    budget.returnToken(request.token);
    request.reject(error);
  }

  function refuseAll(error: SendRefusedError): void {
    for (const queue of Object.values(queues)) for (const request of queue.splice(0)) refuse(request, error);
  }

  /** `onUsed` is called when the request is written or given up. */
  function permitFor(token: QuotaToken, slotMs: number, onUsed: () => void): SendPermit {
    let isOpen = true;
    const close = () => {
      isOpen = false;
      onUsed();
    };
    return {
      sent: order(lease.fence),
      mayWrite() {
        const nowMs = performance.now();
        const isLeaseHeld = lease.validForMs() > 0 && !lease.signal.aborted;
        if (!isOpen || !isLeaseHeld || !budget.isValid(token) || !slots.isValid(slotMs, nowMs)) return false;
        slots.noteWrite(nowMs);
        close();
        return true;
      },
      release() {
        if (!isOpen) return;
        budget.returnToken(token);
        close();
      },
    };
  }

  async function grantNext(): Promise<void> {
    if (queues.interactive.length + queues.background.length === 0) {
      // `acquire` and the end of the lease wake it.
      await idleTimer.sleep(longestSleepMs);
      return;
    }
    const refusal = upstream.blockedBy();
    if (refusal) return refuseAll(refusal);
    const slotMs = slots.nextMs(performance.now());
    await pauseUntil(slotMs, lease.signal);
    // The slot may be over, or too close to a request that was written late.
    if (lease.signal.aborted || !slots.isValid(slotMs, performance.now()) || upstream.blockedBy()) return;
    const request = queues.interactive.shift() ?? queues.background.shift();
    if (!request) return;
    slots.take(slotMs);
    upstream.permitGranted();
    const useTimer = createWakeableTimer(lease.signal);
    request.resolve(permitFor(request.token, slotMs, useTimer.wake));
    // A request that waits for its connection is not overtaken: it would be too close to the next one, and lose its slot.
    await useTimer.sleep(maxDelayMs);
  }

  return {
    /** `share` of the quota is charged. @throws SendRefusedError */
    async acquire(queue: Priority, share: Priority, maxWaitMs: number): Promise<SendPermit> {
      const token = await budget.take(share);
      if (!token) throw new SendRefusedError('the daily quota is used', budget.msUntilNextDay());
      const request = { token, ...Promise.withResolvers<SendPermit>() };
      queues[queue].push(request);
      idleTimer.wake();
      if (lease.signal.aborted) refuseAll(ended);
      const giveUp = () => {
        queues[queue].splice(queues[queue].indexOf(request), 1);
        refuse(request, new SendRefusedError('no slot in time', 1_000));
      };
      const timer = maxWaitMs < Number.POSITIVE_INFINITY ? setTimeout(giveUp, maxWaitMs) : undefined;
      return await request.promise.finally(() => clearTimeout(timer));
    },
    async run(): Promise<void> {
      while (!lease.signal.aborted) await grantNext();
      refuseAll(ended);
    },
  };
}

/** A timer may end up to a millisecond early: then another one follows. */
async function pauseUntil(atMs: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const leftMs = atMs - performance.now();
    if (leftMs <= 0 || signal.aborted) return;
    await pause(Math.ceil(leftMs), signal);
  }
}
