import { toIso } from '@casewatch/contracts';
import { z } from 'zod';
import { isPublished, type SigningKey, signingAt } from '../domain/signing-key.ts';
import { command } from './command.ts';

/** The keys of access tokens; nothing of their private parts is shown. */
export const signingKeyList = command({
  words: 'signing-key list',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    const keys = await ctx.stores.signingKeys.list(ctx.box);
    const now = ctx.clock.now();
    const signing = signingAt(keys, now);
    const rows = keys.map((key) => ({
      generation: key.generation,
      kid: key.kid,
      state: stateOf(key, { signing, now }),
      signs_from: toIso(key.signs_from),
      published_until: toIso(key.published_until),
    }));
    const lines = rows.map((row) => `${row.generation}\t${row.state}\t${row.signs_from}\t${row.kid}`);
    const none = ['There are no signing keys yet: identity makes one when it starts.'];
    return { json: { signing_keys: rows }, lines: lines.length > 0 ? lines : none };
  },
});

type Moment = { signing: SigningKey | undefined; now: Date };

function stateOf(key: SigningKey, { signing, now }: Moment): 'next' | 'signing' | 'published' | 'retired' {
  if (key === signing) return 'signing';
  if (!isPublished(key, now)) return 'retired';
  return key.signs_from > now ? 'next' : 'published';
}
