import { follow } from './follow.mjs';
import { forward } from './forward.mjs';
import { loadPosition, savePosition } from './position.mjs';
import { checkTypes, isWanted } from './types.mjs';

/**
 * Forwards events until the run ends. After a crash, events of one page can come twice, with the same id.
 * @type {import('./declarations.d.ts').Listen}
 */
export async function listen(options, run) {
  const { state, types, forwardTo } = options;
  const { say, signal } = run;
  if (types) await checkTypes(types, options, signal);
  const { isNew, ...position } = loadPosition(options);
  savePosition(state, position);
  say(`Signing secret: ${position.secret} (kept in ${state})`);
  say(`Forwarding ${types ? types.join(', ') : 'all events'} to ${forwardTo}`);
  say(isNew ? `Starting at ${position.since}` : 'Continuing where the last run stopped');
  const target = { forwardTo, secret: position.secret };
  let cursor = position.cursor;
  for await (const page of follow({ ...options, ...position }, run)) {
    for (const event of page.events) {
      if (types && !isWanted(types, event.type)) continue;
      if (!(await forward(event, target, run))) return;
    }
    if (page.next_cursor === cursor) continue;
    cursor = page.next_cursor;
    savePosition(state, { ...position, cursor });
  }
}
