import { createHash } from 'node:crypto';
import type { OperationName } from '@casewatch/contracts';
import type { SignedCaller } from '../http/callers/principal.ts';
import type { Answer } from '../http/handler.ts';

// A page of the console that is open asks for its news every few seconds. The record of the first time tells of what the page shows, and
// goes on to do so as long as the page asks on and nothing new comes. Whether a read is such a repetition is judged by its answer alone:
// no caller says it, and what is new for anybody, even one name in a list, is recorded. Each process remembers for itself.

/** Longest time between two of these reads, ms: an open page is made as a whole every minute. */
const pauseMs = 5 * 60_000;
const maxRemembered = 10_000;

export type ShownRead = {
  operation: OperationName;
  signed: SignedCaller;
  params: object;
  query: object;
  answer: Answer<OperationName>;
  now: Date;
};

/** @returns whether the same console session read the same a short while ago; never of a key or a person */
export function createShownAgain(): (read: ShownRead) => boolean {
  const remembered = new Map<string, number>();
  return ({ operation, signed: { principal }, params, query, answer, now }) => {
    if (principal.kind !== 'partner' || principal.console === undefined) return false;
    const { session_id } = principal.console;
    const key = digestOf([session_id, operation, params, query, shownBy(answer)]);
    const at = now.getTime();
    const last = remembered.get(key);
    // Moved to the end: the first is the one that was longest not read.
    remembered.delete(key);
    remembered.set(key, at);
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    return last !== undefined && at - last <= pauseMs;
  };
}

/** Without what tells of nobody: when a status was last asked for, and cursors, which have the time at which they were issued. */
function shownBy({ body, json }: Answer<OperationName>): unknown {
  const without = (name: string, value: unknown) =>
    /^(last_checked|next_check_at|.*cursor)$/.test(name) ? null : value;
  return JSON.parse(json ?? JSON.stringify(body ?? null), without);
}

/** Short, and without the personal data that it was made of. */
function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
