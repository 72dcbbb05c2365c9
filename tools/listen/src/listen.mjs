import { follow } from './follow.mjs';
import { forward } from './forward.mjs';
import { loadPosition, savePosition } from './position.mjs';
import { checkTypes, isWanted } from './types.mjs';

/**
 * Forwards events until `signal` aborts. The position is saved after each page: after a crash, events of one page can
 * come twice, with the same id.
 * @param {ReturnType<typeof import('./options.mjs').optionsOf>} options
 * @param {(line: string) => void} say
 * @param {AbortSignal} signal
 * @throws {import('./options.mjs').ListenError} if Casewatch refuses the keys or the position
 */
export async function listen(options, say, signal) {
  const { state, types, forwardTo } = options;
  if (types) await checkTypes(types, options, signal);
  const { isNew, ...position } = loadPosition(options);
  savePosition(state, position);
  say(`Signing secret: ${position.secret} (kept in ${state})`);
  say(`Forwarding ${types ? types.join(', ') : 'all events'} to ${forwardTo}`);
  say(isNew ? `Starting at ${position.since}` : 'Continuing where the last run stopped');
  let cursor = position.cursor;
  for await (const page of follow({ ...options, ...position }, { say, signal })) {
    for (const event of page.events) {
      if (types && !isWanted(types, event.type)) continue;
      if (!(await forward(event, { forwardTo, secret: position.secret, say, signal }))) return;
    }
    if (page.next_cursor === cursor) continue;
    cursor = page.next_cursor;
    savePosition(state, { ...position, cursor });
  }
}
