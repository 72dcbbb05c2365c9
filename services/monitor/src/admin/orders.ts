import { defineCommand, type Report } from '@casewatch/platform';
import { z } from 'zod';
import { decideHeld } from '../changes/decide-held.ts';
import type { SharedContext } from '../context.ts';

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
