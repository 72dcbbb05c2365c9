import { AsyncLocalStorage } from 'node:async_hooks';
import type { Session } from './mongo.ts';

/** Runs in each transaction of a call: `begin` before each attempt, `end` after the work and before the commit. */
export type TransactionStep = { begin(): void; end(session: Session): Promise<void> };

const steps = new AsyncLocalStorage<TransactionStep>();

export function inTransactions<T>(step: TransactionStep, work: () => T): T {
  return steps.run(step, work);
}

export function currentStep(): TransactionStep | undefined {
  return steps.getStore();
}
