import { waitUntil } from '../../../../services/monitor/src/loops/wait-until.ts';

/**
 * What the monitor does between two requests at a high rate, and nothing else: it waits for slots, which keeps a core
 * busy. A mongod beside it has dearer microseconds than one that is alone, so the floor is measured beside it too.
 */
const spacingMs = 1_000 / Number(process.env.NEIGHBOUR_RATE);
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
process.stdout.write('waiting\n');
for (let slotMs = performance.now(); !ending.signal.aborted; slotMs += spacingMs)
  await waitUntil(slotMs, spacingMs, ending.signal);
