import type { WebhookEventFilter, WebhookEventType } from '@casewatch/contracts';
import { type Connection, databaseTime } from '@casewatch/platform/database';
import type { PartnerState, PartnerStore } from './partners.ts';
import type { WebhookRow, WebhookStore } from './webhooks.ts';

export type PartnerSubscriptions = {
  isSuspended: boolean;
  isDeleted: boolean;
  webhooks: readonly WebhookRow[];
};

type Subscriptions = { now: Date; erased: ReadonlySet<number>; of(id: number): PartnerSubscriptions };

type Cached = { state: PartnerState; checkedAt: number; webhooks: WebhookRow[] };

const maxPartners = 5_000;
const none: PartnerSubscriptions = { isSuspended: false, isDeleted: false, webhooks: [] };

/** Endpoints of partners, cached. One read of the partners' revisions for each call keeps the cache exact (webhooks.md, Fast). */
export function createSubscriptions(db: Connection, partners: PartnerStore, webhooks: WebhookStore) {
  const cache = new Map<number, Cached>();

  const owners = new Map<number, number>();

  async function refresh(states: readonly PartnerState[], checkedAt: number): Promise<void> {
    const stale = states.filter((state) => {
      const cached = cache.get(state._id);
      if (cached?.state.revision !== state.revision) return true;
      Object.assign(cached, { state, checkedAt });
      return false;
    });
    if (stale.length === 0) return;
    if (cache.size + stale.length > maxPartners) {
      cache.clear();
      owners.clear();
    }
    const rows = await webhooks.ofPartners(stale.map(({ _id }) => _id));
    for (const state of stale) {
      const ofPartner = rows.filter((row) => row.partner_id === state._id);
      cache.set(state._id, { state, checkedAt, webhooks: ofPartner });
      for (const { _id } of ofPartner) owners.set(_id, state._id);
    }
  }

  return {
    /** `now`: the database's time, before the result was read. `erased`: those of the users. */
    async read(partnerIds: readonly number[], userIds: readonly number[]): Promise<Subscriptions> {
      const checkedAt = performance.now();
      const { states, erased } = await partners.statesAndErased([...new Set(partnerIds)], userIds);
      const now = states[0]?.now ?? (await databaseTime(db));
      await refresh(states, checkedAt);
      const found = new Map(
        states.map(({ _id, status }): [number, PartnerSubscriptions] => {
          const [isSuspended, isDeleted] = [status === 'suspended', status === 'deleted'];
          return [_id, { isSuspended, isDeleted, webhooks: cache.get(_id)?.webhooks ?? [] }];
        }),
      );
      return { now, erased, of: (id) => found.get(id) ?? none };
    },
    /** The endpoint, if it was compared with the database within `ms`. `checkedAt`: on the monotonic clock. */
    recent(
      webhookId: number,
      ms: number,
    ): { row: WebhookRow; isSuspended: boolean; checkedAt: number } | null {
      const cached = cache.get(owners.get(webhookId) ?? 0);
      const row = cached?.webhooks.find(({ _id }) => _id === webhookId);
      if (!cached || !row || performance.now() - cached.checkedAt > ms) return null;
      return { row, isSuspended: cached.state.status === 'suspended', checkedAt: cached.checkedAt };
    },
  };
}

export function subscribedTo(webhooks: readonly WebhookRow[], type: WebhookEventType): WebhookRow[] {
  const filters = filtersOf(type);
  return webhooks.filter(({ active, events }) => active && events.some((event) => filters.includes(event)));
}

export function filtersOf(type: WebhookEventType): WebhookEventFilter[] {
  return [type, `${type.slice(0, type.indexOf('.'))}.*` as WebhookEventFilter, '*'];
}
