import { createHash } from 'node:crypto';
import type { JwksReply } from '@casewatch/contracts';
import { ApiError, type Bus } from '@casewatch/platform';

export const apiKey = 'cwk_live_test';
export const apiSecret = 'cws_live_test';
const secretHash = createHash('sha256').update(apiSecret).digest('hex');

/** What identity answers in these tests, noting each question. */
export function answers(
  bus: Bus,
  { asked, jwks }: { asked: { name: string; data: unknown }[]; jwks: JwksReply },
): void {
  bus.serve('identity.jwks', async () => jwks);
  bus.serve('identity.authenticate', async (data) => {
    asked.push({ name: 'identity.authenticate', data });
    if (data.api_key !== apiKey || data.secret_sha256 !== secretHash) throw new ApiError('invalid_api_key');
    return { kind: 'partner', partner_id: 1, key_id: apiKey, scopes: ['users:read', 'users:write'] };
  });
  bus.serve('identity.session', async ({ session_id, user_id }) => {
    if (session_id === 'ended') throw new ApiError('token_revoked');
    return { user_id, partner_id: user_id === 7 ? 1 : null, signed_in_at: 1_795_255_200 };
  });
}
