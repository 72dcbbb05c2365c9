import { type ExportedList, longestExported, maxStaffFacts } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makePartner, someAddress, type TestPartner } from '../../test/support/people.ts';
import { startTestIdentity, type TestIdentity } from '../../test/support/start-identity.ts';

type Export = Record<ExportedList, unknown[]> & { cut_off: ExportedList[] };

const at = '2026-11-01T10:00:00.000Z';

describe('the export of a member', () => {
  let identity: TestIdentity;
  let partner: TestPartner;
  let cases: Bus;
  let notifier: Bus;
  /** How many of each cases has. */
  let reviews = 0;
  let imports = 0;
  beforeAll(async () => {
    identity = await startTestIdentity();
    partner = await makePartner(identity, 'Busy Law');
    cases = await connectAs(identity.nats, 'cases');
    notifier = await connectAs(identity.nats, 'notifier');
    cases.serve('cases.of_staff', async ({ reviews_after }) => ({
      acknowledgements: [],
      case_ids: [],
      reviews: idsAfter(reviews_after, reviews).map((id) => ({ id, case_id: 1, reviewed_at: at })),
      imports: idsAfter(0, imports).map((id) => ({ id, created_at: at })),
    }));
    notifier.serve('notifier.of_staff', async () => ({ alerts: [] }));
    await Promise.all([cases.connection.flush(), notifier.connection.flush()]);
  });
  afterAll(async () => {
    await Promise.all([cases.stop(), notifier.stop()]);
    await identity.stop();
  });

  const idsAfter = (after: number, last: number) =>
    Array.from({ length: Math.min(maxStaffFacts, last - after) }, (_, i) => after + i + 1);

  async function newMember(): Promise<number> {
    const body = { email: someAddress(), name: 'Bea Busy', role: 'editor' };
    const { body: answer, text } = await identity.call('POST', '/v1/client/staff', { as: partner.as, body });
    if (answer.staff_member === undefined) throw new Error(text);
    return (answer.staff_member as { id: number }).id;
  }

  /** A busy machine may not make it in time: the export is whole or refused. */
  async function exportOf(id: number): Promise<Export> {
    const whole = async () => {
      const path = `/v1/client/staff/${id}/export`;
      const { status, body } = await identity.call('GET', path, { as: partner.as });
      expect([200, 503]).toContain(status);
      return status === 200 && (body.staff_member as Export);
    };
    return await waitFor(whole, { timeoutMs: 100_000, what: 'the export' });
  }

  async function record(count: number, over: { actor: string; objects: string[] }) {
    const rows = Array.from({ length: count }, (_, i) => ({
      ...{ _id: `${over.actor}-${over.objects.join()}-${i}`, partner_id: partner.as.partner_id },
      ...{ at: new Date(Date.now() - i * 1_000), console_actor: null, operation: 'update_case', count: null },
      ...{ status: 200, network: null, request_id: 'req_1', ...over },
    }));
    await identity.db.collection('audit').insertMany(rows as never[]);
  }

  it('has all pages of what cases stores, and says that nothing is cut off', async () => {
    [reviews, imports] = [2 * maxStaffFacts + 1, 2];
    const found = await exportOf(await newMember());
    expect([found.reviews.length, found.imports.length]).toEqual([reviews, imports]);
    expect(found.cut_off).toEqual([]);
  });

  it('names the lists that are as long as they can be, each alone', async () => {
    [reviews, imports] = [1, longestExported.imports + 1];
    const moving = await exportOf(await newMember());
    expect([moving.imports.length, moving.cut_off]).toEqual([longestExported.imports, ['imports']]);
    [reviews, imports] = [1, 1];
    const half = longestExported.records / 2;
    const acting = await newMember();
    await record(half + 1, { actor: `staff:${acting}`, objects: ['case:1'] });
    await record(1, { actor: 'operator', objects: [`staff:${acting}`] });
    const recorded = await exportOf(acting);
    // Being invited is done to the member, too.
    expect(recorded.records.length).toBeGreaterThan(half);
    expect(recorded.cut_off).toEqual(['records']);
  });
});
