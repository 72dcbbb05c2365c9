import { type ServiceName, subscriptionsOf } from '@casewatch/contracts';
import type { EventHandlers } from '@casewatch/platform';

/** Handlers, which do nothing, of all events that a service consumes. A test replaces those that it looks at. */
export function noHandlers(service: ServiceName): EventHandlers {
  const types = subscriptionsOf(service).flatMap(({ types }) => types);
  return Object.fromEntries(types.map((type) => [type, async () => {}])) as EventHandlers;
}
