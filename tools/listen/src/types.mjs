import { ask } from './follow.mjs';
import { ListenError } from './options.mjs';

/** @type {import('./declarations.d.ts').IsWanted} */
export function isWanted(filters, type) {
  const family = type.replace(/\..*$/, '.*');
  return filters.some((filter) => filter === '*' || filter === type || filter === family);
}

/** @type {import('./declarations.d.ts').CheckTypes} */
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
