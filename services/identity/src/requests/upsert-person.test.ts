import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makePartner, someAddress, type TestPartner } from '../../test/support/people.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let cases: Bus;
useIdentity((started) => ({ identity } = started));
beforeAll(async () => {
  cases = await connectAs(identity.nats, 'cases');
});
afterAll(async () => {
  await cases.stop();
});

describe('the person of a row of an import', () => {
  let firm: TestPartner;
  beforeEach(async () => {
    firm = await makePartner(identity, 'Moving Firm');
  });

  type Row = {
    email: string;
    expected: number | null;
    phone?: string;
    notify_by_whatsapp?: boolean;
    staff_id?: number;
  };

  /** One row of import 7. */
  async function imported(row: number, of: Row) {
    const { email, expected, phone = null, notify_by_whatsapp = null, staff_id = null } = of;
    const blank = { preferred_language: null, notify_by_email: null, notify_by_whatsapp };
    return await cases.request('identity.upsert_person', {
      partner_id: firm.as.partner_id,
      actor: { key_id: staff_id === null ? firm.as.key_id : null, staff_id },
      network: '203.0.113.0/24',
      import_id: 7,
      key: `import:${firm.as.partner_id}:${row}`,
      writes: true,
      expected,
      earlier: [],
      person: { email, name: 'Ana', phone, ...blank },
      send_verification: false,
    });
  }

  it('has a record of who made and who filled it, each once, and none where nothing changed', async () => {
    const email = someAddress();
    const made = await imported(1, { email, expected: null });
    expect(made.outcome).toBe('created');
    const row = { email, expected: made.user_id };
    for (const [at, one, outcome] of [
      [1, { email, expected: null }, 'created'],
      [2, row, 'unchanged'],
      [3, { ...row, phone: '+12025550123' }, 'updated'],
      [3, { ...row, phone: '+12025550123' }, 'updated'],
    ] as const)
      expect(await imported(at, one)).toMatchObject({ outcome, user_id: made.user_id });
    const records = await identity.db
      .collection('audit')
      .find({ partner_id: firm.as.partner_id, objects: `user:${made.user_id}` })
      .toArray();
    const record = {
      actor: `key:${firm.as.key_id}`,
      operation: 'create_import',
      objects: [`user:${made.user_id}`, 'import:7'],
      network: '203.0.113.0/24',
      status: 202,
    };
    expect(records).toEqual([expect.objectContaining(record), expect.objectContaining(record)]);
  });

  it('has the consent to WhatsApp messages that the row states: who stated it, when, and of which text', async () => {
    const row = (id: number | null) => identity.db.collection('users').findOne({ _id: id as never });
    const of = { expected: null, phone: '+12025550123', notify_by_whatsapp: true };
    const before = Date.now();
    for (const [at, staff_id, by] of [
      [1, undefined, `key:${firm.as.key_id}`],
      [2, 12, 'staff:12'],
    ] as const) {
      const { user_id } = await imported(at, { ...of, email: someAddress(), ...(staff_id && { staff_id }) });
      const made = await row(user_id);
      expect([made?.notify_by_whatsapp, made?.whatsapp_consent]).toEqual([
        true,
        { at: expect.any(Date), by: `partner:${firm.as.partner_id}/${by}`, text_version: '2026-11' },
      ]);
      expect(made?.whatsapp_consent.at.getTime()).toBeGreaterThanOrEqual(before);
    }
    const { user_id: silent } = await imported(3, { email: someAddress(), expected: null, phone: of.phone });
    expect(await row(silent)).toMatchObject({ notify_by_whatsapp: false, whatsapp_consent: null });
  });

  it('has its answer for 30 days, and nothing else keeps it', async () => {
    const indexes = await identity.db.collection('import_answers').indexes();
    const timed = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    expect(timed).toEqual([
      expect.objectContaining({ key: { created_at: 1 }, expireAfterSeconds: 30 * 86_400 }),
    ]);
  });
});
