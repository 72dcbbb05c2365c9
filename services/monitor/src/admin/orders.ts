import { defineCommand, RefusedError, type Report } from '@casewatch/platform';
import { z } from 'zod';
import { decideHeld } from '../changes/decide-held.ts';
import type { SharedContext } from '../context.ts';
import { readStatus } from '../scheduling/status.ts';

export const orders = [
  order('pause', async ({ stores, clock }) => {
    const { paused_at } = await stores.control.read();
    const since = paused_at ?? clock.now();
    await stores.control.setPaused(since);
    return { json: { paused_at: since }, lines: [`Paused since ${since.toISOString()}.`] };
  }),
  order('resume', async ({ stores }) => {
    await stores.control.setPaused(null);
    return { json: { paused_at: null }, lines: ['Resumed.'] };
  }),
  order('probe', async (admin) => {
    const [{ sending, paused }, { health }] = await Promise.all([
      readStatus(admin),
      admin.stores.control.read(),
    ]);
    if (paused) throw new RefusedError('The checks are paused: run `monitor resume` first.');
    if (!sending) throw new RefusedError('No replica sends checks: there is nobody to probe USCIS.');
    const isOpen = health?.breaker === 'open' || health?.rest_until != null;
    if (isOpen) await admin.stores.control.askForProbe();
    const line = isOpen
      ? 'The next due check asks USCIS, within seconds; `monitor status` shows its answer.'
      : 'Nothing stops the checks: the circuit breaker is closed.';
    return { json: { asked: isOpen }, lines: [line] };
  }),
  order('release', async (admin) => {
    const receipts = await decideHeld(admin, 'release');
    return { json: { receipts }, lines: [`Users are notified of the held changes of ${receipts} receipts.`] };
  }),
  order('drop-held', async (admin) => {
    const receipts = await decideHeld(admin, 'drop');
    return { json: { receipts }, lines: [`The held changes of ${receipts} receipts are dropped.`] };
  }),
];

function order(words: string, run: (admin: SharedContext) => Promise<Report>) {
  return defineCommand({ words, options: z.strictObject({}), form: '', run });
}
