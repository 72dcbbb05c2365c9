import { type Partner, until } from '@casewatch/driver';

/** Until all cases were checked. */
const slowly = { timeoutMs: 240_000, intervalMs: 1_000 };
/** Messages and deliveries follow a change within seconds, except those that are tried again later. */
const quietMs = 15_000;

type Listed = { cases: { update_count: number }[]; next_cursor: string | null };

/** Until at least `count` cases have at least `updates` statuses. */
export async function untilCases(partner: Partner, { count, updates }: { count: number; updates: number }) {
  const what = `${count} cases with ${updates} statuses`;
  await until(async () => (await countCases(partner, updates)) >= count, { ...slowly, what });
}

/** Until nothing more happens that the partner could count. */
export async function untilQuiet(partner: Partner): Promise<void> {
  let last = '';
  let changedAt = Date.now();
  const isQuiet = async () => {
    const counts = JSON.stringify((await partner.call('GET', '/v1/client/statistics')).body);
    if (counts !== last) [last, changedAt] = [counts, Date.now()];
    return Date.now() - changedAt >= quietMs;
  };
  await until(isQuiet, { ...slowly, what: 'the end of messages and deliveries' });
}

/** Number of cases with at least so many status updates. */
async function countCases(partner: Partner, updates: number): Promise<number> {
  let count = 0;
  let cursor = '';
  for (;;) {
    const { status, body } = await partner.call<Listed>('GET', `/v1/client/cases?limit=100${cursor}`);
    // A limit or a service that is away: the next try comes.
    if (status !== 200) return 0;
    count += body.cases.filter(({ update_count }) => update_count >= updates).length;
    if (body.next_cursor === null) return count;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}
