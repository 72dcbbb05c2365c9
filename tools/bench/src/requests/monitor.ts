import type { Bus } from '@casewatch/platform';
import { caseRow, statusUpdated } from '../webhooks-fan-out/rows.ts';

/** Answers the monitor's requests at once, without USCIS. */
export function answerAsMonitor(bus: Bus): void {
  let lastId = 1_000_000;
  bus.serve('monitor.share', async () => ({ live_checks_per_day: 500 }));
  bus.serve('monitor.check', async () => {
    const { status_update } = statusUpdated(++lastId, caseRow(1, 1));
    const { id: status_update_id, kind: _kind, changes: _changes, ...observed } = status_update;
    const { observation, timestamp, touched_at, ...facts } = observed;
    const titled = { facts, title_modified_date: null, touched_at, facts_hash: 'a'.repeat(64) };
    return {
      outcome: 'seen',
      ...titled,
      status_update_id,
      observation,
      checked_at: timestamp,
      source: 'live',
    };
  });
  bus.serve('monitor.status', async () => ({
    upstream: 'open',
    sending: true,
    paused: false,
    freshness: null,
    capacity: null,
    accepts_new_cases: true,
    watched_receipts: 0,
    used_today: 0,
    daily_budget: 1,
    as_of: new Date().toISOString(),
  }));
}
