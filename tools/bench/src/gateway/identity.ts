import type { Bus } from '@casewatch/platform';

/** How often identity announces how far revocations are, ms (architecture.md §4). */
const announceMs = 500;

/** Identity's answers on a real bus: every key pair is a partner's, `cwk_7` of partner 7, and nothing is revoked. */
export function answerAsIdentity(bus: Bus): () => void {
  bus.serve('identity.authenticate', async ({ api_key }) => ({
    principal: {
      kind: 'partner',
      partner_id: Number(api_key.split('_')[1]),
      key_id: api_key,
      scopes: ['users:read'],
    },
    good_until: null,
  }));
  bus.serve('identity.revocations', async () => ({ revision: 0, changes: [] }));
  const announcing = setInterval(() => bus.publish('revocations.announced', { revision: 0 }), announceMs);
  return () => clearInterval(announcing);
}
