import { z } from 'zod';
import { decideHeld } from '../changes/decide-held.ts';
import { command } from './open-admin.ts';

/** Notifies the users of changes that the monitor held. */
export const release = command({
  words: 'release',
  options: z.strictObject({}),
  form: '',
  async run(admin) {
    const count = await decideHeld(admin, 'release');
    return {
      json: { receipts: count },
      lines: [`Users are notified of the held changes of ${count} receipts.`],
    };
  },
});

/** Notifies no one of changes that the monitor held. */
export const dropHeld = command({
  words: 'drop-held',
  options: z.strictObject({}),
  form: '',
  async run(admin) {
    const count = await decideHeld(admin, 'drop');
    return { json: { receipts: count }, lines: [`The held changes of ${count} receipts are dropped.`] };
  },
});
