import { z } from 'zod';
import { replaceSigningKeys } from '../changes/change-signing-keys.ts';
import { command, RefusedError } from './command.ts';

/** For a signing key that leaked: a new one signs at once, and whatever older ones signed is refused. */
export const signingKeyReplace = command({
  words: 'signing-key replace',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    const key = await replaceSigningKeys(ctx);
    if (!key) throw new RefusedError('Another rotation came first; see signing-key list.');
    return {
      json: { signing_key: { generation: key.generation, kid: key.kid } },
      lines: [
        `Signing key ${key.kid} signs now. Access tokens of older keys end within two minutes; people's apps get`,
        'new ones with their refresh tokens.',
      ],
    };
  },
});
