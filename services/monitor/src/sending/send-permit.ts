import type { HeldLease } from '@casewatch/platform/database';
import type { Budget, QuotaToken } from './budget.ts';
import type { Slots } from './slots.ts';

/** The right to write one request in one slot. `sent`: place of the request in the order of sending. */
export type SendPermit = {
  readonly sent: number;
  /** Asked once, at the moment of writing; false = the slot is over. */
  mayWrite(): boolean;
  release(): void;
};

/** Nothing can be sent now, because of quota, breaker, hours, pause, lease or a long wait. */
export class SendRefusedError extends Error {
  override readonly name = 'SendRefusedError';
  /** Time until a retry makes sense, ms. */
  readonly waitMs: number;

  constructor(reason: string, waitMs: number) {
    super(reason);
    this.waitMs = waitMs;
  }
}

export type SendOrder = (fence: number) => number;

/** One per process: fences grow with each sender, counts within one process. So a later request has the higher number. */
export function createSendOrder(): SendOrder {
  let count = 0;
  return (fence) => {
    count += 1;
    return fence * 2 ** 32 + count;
  };
}

export type PermitOptions = {
  lease: HeldLease;
  order: SendOrder;
  budget: Budget;
  slots: Slots;
  upstream: { permitUnused(): void };
};

/** `onUsed` is called when the request is written or given up. */
export function createPermits({ lease, order, budget, slots, upstream }: PermitOptions) {
  const isLeaseHeld = () => lease.validForMs() > 0 && !lease.signal.aborted;
  return (token: QuotaToken, slotMs: number, onUsed: () => void): SendPermit => {
    let isOpen = true;
    return {
      sent: order(lease.fence),
      mayWrite() {
        let nowMs = performance.now();
        // A timer can be early by a millisecond: the thread waits for the rest.
        while (nowMs < slotMs) nowMs = performance.now();
        const isValid = isLeaseHeld() && budget.isValid(token) && slots.isValid(slotMs, nowMs);
        if (!isOpen || !isValid) return false;
        isOpen = false;
        slots.noteWrite(nowMs);
        onUsed();
        return true;
      },
      release() {
        if (!isOpen) return;
        isOpen = false;
        budget.returnToken(token);
        upstream.permitUnused();
        onUsed();
      },
    };
  };
}
