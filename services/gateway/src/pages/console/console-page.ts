import type { ConsoleSessionReply } from '@casewatch/contracts';
import type { AnyPage, Page, PageCall } from '../page.ts';

export type ConsoleSession = ConsoleSessionReply;
export type ConsoleCall<P = unknown, Q = unknown, F = unknown> = PageCall<ConsoleSession, P, Q, F>;

/** Checks the types of one page of the console. */
export function consolePage<P, Q, F>(page: Page<ConsoleSession, P, Q, F>): AnyPage<ConsoleSession> {
  return page;
}
