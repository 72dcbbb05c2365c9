import { ask } from './follow.mjs';
import { ListenError } from './options.mjs';

/**
 * @param {string[]} filters names such as `user.created`, families such as `case.*`, or `*`
 * @param {string} type
 */
export function isWanted(filters, type) {
  return filters.some((filter) => filter === '*' || filter === type || filter === familyOf(type));
}

/** @param {string} type */
const familyOf = (type) => type.replace(/\..*$/, '.*');

/**
 * Checks the filters against the event types of Casewatch.
 * @param {string[]} filters
 * @param {{ gateway: URL, headers: Record<string, string> }} from
 * @param {AbortSignal} signal
 * @throws {ListenError} if a filter matches no event type
 */
export async function checkTypes(filters, { gateway, headers }, signal) {
  const answer = await ask(new URL('/v1/webhooks/event-types', gateway), headers, signal);
  // The run says that Casewatch does not answer, and tries again.
  if (!('body' in answer)) return;
  const { event_types } = /** @type {{ event_types: { name: string }[] }} */ (answer.body);
  const names = event_types.map(({ name }) => name);
  const unknown = filters.find((filter) => !names.some((name) => isWanted([filter], name)));
  if (unknown !== undefined)
    throw new ListenError(
      `${unknown} is not an event type; use ${names.join(', ')}, or families such as case.*`,
    );
}
