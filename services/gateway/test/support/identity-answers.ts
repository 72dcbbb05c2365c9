import { createHash } from 'node:crypto';
import { type JwksReply, type Revocation, scopes } from '@casewatch/contracts';
import { ApiError, type Bus } from '@casewatch/platform';

export const apiKey = 'cwk_live_test';
export const apiSecret = 'cws_live_test';
const secretHash = createHash('sha256').update(apiSecret).digest('hex');

/** The key pair of another partner, with every scope. */
export function keysOfPartner(id: number) {
  return { 'x-api-key': `${apiKey}_${id}`, 'x-api-secret': apiSecret };
}

/** What a test lets identity know and do. */
export type Identity = {
  readonly asked: { name: string; data: unknown }[];
  jwks: JwksReply;
  /** The changes of revisions 1, 2, …; an entry more is a revocation. */
  readonly changes: Revocation[];
  /** Keys, sessions, users that are refused from now on, as `kind/id`. */
  readonly refused: Set<string>;
  /** Whether the gateway is told, every 100 ms, how far revocations are. */
  announces: boolean;
  /** Answers no question about revocations while this is set. */
  isMute: boolean;
  /** What the answers to a question wait for. */
  readonly waits: Partial<Record<'identity.revocations' | 'identity.authenticate', Promise<void>>>;
  /** Answers `changes: null` to every one of them. */
  forgetsChanges: boolean;
  /** How far its time is ahead of this machine's, ms. */
  aheadMs: number;
  /** When the key pair and sessions end by themselves. */
  goodUntil: Date | null;
};

export function newIdentity(jwks: JwksReply): Identity {
  return {
    asked: [],
    jwks,
    changes: [],
    refused: new Set(),
    announces: true,
    isMute: false,
    waits: {},
    forgetsChanges: false,
    aheadMs: 0,
    goodUntil: null,
  };
}

/** Serves identity's requests, noting each question, and announces. Returns how to stop that. */
export function answers(bus: Bus, identity: Identity): () => void {
  const { asked, refused } = identity;
  const now = () => new Date(Date.now() + identity.aheadMs).toISOString();
  bus.serve('identity.jwks', async (data) => {
    asked.push({ name: 'identity.jwks', data });
    return identity.jwks;
  });
  bus.serve('identity.authenticate', async (data) => {
    asked.push({ name: 'identity.authenticate', data });
    await identity.waits['identity.authenticate'];
    // `cwk_live_test_3` is the key of partner 3.
    const [, partnerId] = /^cwk_live_test(?:_(\d+))?$/.exec(data.api_key) ?? [];
    const isKnown = partnerId !== undefined || data.api_key === apiKey;
    if (!isKnown || data.secret_sha256 !== secretHash) throw new ApiError('invalid_api_key');
    if (partnerId !== undefined) {
      const principal = {
        kind: 'partner' as const,
        partner_id: Number(partnerId),
        key_id: partnerId,
        scopes: [...scopes],
      };
      return { principal, good_until: null };
    }
    if (refused.has('key/1')) throw new ApiError('api_key_revoked');
    if (refused.has('partner/1')) throw new ApiError('partner_suspended');
    return {
      principal: { kind: 'partner', partner_id: 1, key_id: '1', scopes: ['users:read', 'users:write'] },
      good_until: identity.goodUntil?.toISOString() ?? null,
    };
  });
  bus.serve('identity.session', async (data) => {
    asked.push({ name: 'identity.session', data });
    const { session_id, user_id } = data;
    if (session_id === 'ended' || refused.has(`session/${session_id}`) || refused.has(`user/${user_id}`)) {
      throw new ApiError('token_revoked');
    }
    return {
      user_id,
      partner_id: user_id === 7 ? 1 : null,
      signed_in_at: 1_795_255_200,
      good_until: (identity.goodUntil ?? new Date(Date.now() + 3_600_000)).toISOString(),
    };
  });
  bus.serve('identity.revocations', async (data) => {
    asked.push({ name: 'identity.revocations', data });
    await identity.waits['identity.revocations'];
    if (identity.isMute) throw new ApiError('service_unavailable');
    const revision = identity.changes.length;
    return {
      revision,
      changes: identity.forgetsChanges ? null : identity.changes.slice(data.since ?? revision),
      now: now(),
    };
  });
  const announcing = setInterval(() => {
    if (identity.announces)
      bus.publish('revocations.announced', { revision: identity.changes.length, now: now() });
  }, 100);
  return () => clearInterval(announcing);
}
