import { toIso } from '@casewatch/contracts';
import { integerSetting, RefusedError } from '@casewatch/platform';
import { z } from 'zod';
import { replaceSigningKeys, rotateSigningKey } from '../changes/change-signing-keys.ts';
import {
  defaultLeadSeconds,
  isPublished,
  minLeadSeconds,
  type SigningKey,
  signingAt,
} from '../domain/signing-key.ts';
import { command } from './command.ts';

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
      state: key === signing ? 'signing' : stateOf(key, now),
      signs_from: toIso(key.signs_from),
      published_until: toIso(key.published_until),
    }));
    const lines = rows.map((row) => `${row.generation}\t${row.state}\t${row.signs_from}\t${row.kid}`);
    const none = ['There are no signing keys yet: identity creates one when it starts.'];
    return { json: { signing_keys: rows }, lines: lines.length > 0 ? lines : none };
  },
});

function stateOf(key: SigningKey, now: Date): 'next' | 'published' | 'retired' {
  if (!isPublished(key, now)) return 'retired';
  return key.signs_from > now ? 'next' : 'published';
}

const hourSeconds = 60 * 60;

/** The new key is published now and signs after the lead. All tokens stay valid. */
export const signingKeyRotate = command({
  words: 'signing-key rotate',
  form: `[--lead-seconds ${defaultLeadSeconds}]`,
  options: z.strictObject({
    'lead-seconds': integerSetting(minLeadSeconds, hourSeconds).default(defaultLeadSeconds),
  }),
  async run(ctx, options) {
    const signsFrom = new Date(ctx.clock.now().getTime() + options['lead-seconds'] * 1_000);
    const { generation, kid } = refuseConflict(await rotateSigningKey(ctx, signsFrom));
    const from = toIso(signsFrom);
    return {
      json: { signing_key: { generation, kid, signs_from: from } },
      lines: [`Signing key ${kid} is published, and signs from ${from} on.`],
    };
  },
});

/** For a leaked key: a new key signs immediately, and gateways refuse the tokens of all older keys. */
export const signingKeyReplace = command({
  words: 'signing-key replace',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    const { generation, kid } = refuseConflict(await replaceSigningKeys(ctx));
    return {
      json: { signing_key: { generation, kid } },
      lines: [
        `Signing key ${kid} signs now. Access tokens of older keys end within two minutes; people's apps get`,
        'new ones with their refresh tokens.',
      ],
    };
  },
});

function refuseConflict(key: SigningKey | null): SigningKey {
  if (key) return key;
  throw new RefusedError('Another rotation ran at the same time. Run signing-key list.');
}
