import { z } from 'zod';
import { decideHeld } from '../changes/decide-held.ts';
import { command } from './open-admin.ts';

type Decision = Parameters<typeof decideHeld>[1];

function decision(words: string, decision: Decision, sentence: (receipts: number) => string) {
  return command({
    words,
    options: z.strictObject({}),
    form: '',
    async run(admin) {
      const receipts = await decideHeld(admin, decision);
      return { json: { receipts }, lines: [sentence(receipts)] };
    },
  });
}

export const release = decision(
  'release',
  'release',
  (receipts) => `Users are notified of the held changes of ${receipts} receipts.`,
);

export const dropHeld = decision(
  'drop-held',
  'drop',
  (receipts) => `The held changes of ${receipts} receipts are dropped.`,
);
