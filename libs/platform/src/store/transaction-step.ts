import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs in each transaction of a call: `begin` before each attempt, `end` with its session after the work and before the commit.
 * The gateway, which has no database, loads this file.
 */
export type TransactionStep = { begin(): void; end(session: unknown): Promise<void> };

const steps = new AsyncLocalStorage<TransactionStep>();

export function inTransactions<T>(step: TransactionStep, work: () => T): T {
  return steps.run(step, work);
}

export function currentStep(): TransactionStep | undefined {
  return steps.getStore();
}
