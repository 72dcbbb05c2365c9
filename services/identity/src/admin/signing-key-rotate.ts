import { toIso } from '@casewatch/contracts';
import { integerSetting } from '@casewatch/platform';
import { z } from 'zod';
import { replaceSigningKeys, rotateSigningKey } from '../changes/change-signing-keys.ts';
import { defaultLeadSeconds, minLeadSeconds } from '../domain/signing-key.ts';
import { command, RefusedError } from './command.ts';

const hourSeconds = 60 * 60;

/** Makes a new signing key: published now, signing after the lead; no token fails. */
export const signingKeyRotate = command({
  words: 'signing-key rotate',
  form: `[--lead-seconds ${defaultLeadSeconds}]`,
  options: z.strictObject({
    'lead-seconds': integerSetting(minLeadSeconds, hourSeconds).default(defaultLeadSeconds),
  }),
  async run(ctx, options) {
    const signsFrom = new Date(ctx.clock.now().getTime() + options['lead-seconds'] * 1_000);
    const key = refuseNull(await rotateSigningKey(ctx, signsFrom));
    const from = toIso(signsFrom);
    return {
      json: { signing_key: { generation: key.generation, kid: key.kid, signs_from: from } },
      lines: [`Signing key ${key.kid} is published, and signs from ${from} on.`],
    };
  },
});

/** For a signing key that leaked: a new one signs at once, and the tokens of all older ones are refused. */
export const signingKeyReplace = command({
  words: 'signing-key replace',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    const key = refuseNull(await replaceSigningKeys(ctx));
    return {
      json: { signing_key: { generation: key.generation, kid: key.kid } },
      lines: [
        `Signing key ${key.kid} signs now. Access tokens of older keys end within two minutes; people's apps get`,
        'new ones with their refresh tokens.',
      ],
    };
  },
});

function refuseNull<K>(key: K | null): K {
  if (key) return key;
  throw new RefusedError('Another rotation came first; see signing-key list.');
}
