import { z } from 'zod';
import { command } from './open-admin.ts';

export const pause = command({
  words: 'pause',
  options: z.strictObject({}),
  form: '',
  async run({ stores, clock }) {
    const { paused_at } = await stores.control.read();
    const since = paused_at ?? clock.now();
    await stores.control.setPaused(since);
    return { json: { paused_at: since }, lines: [`Paused since ${since.toISOString()}.`] };
  },
});

export const resume = command({
  words: 'resume',
  options: z.strictObject({}),
  form: '',
  async run({ stores }) {
    await stores.control.setPaused(null);
    return { json: { paused_at: null }, lines: ['Resumed.'] };
  },
});
