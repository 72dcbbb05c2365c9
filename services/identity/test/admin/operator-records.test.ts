import { describe, expect, it } from '@jest/globals';
import { admin, makePartner, makeUser, someAddress, type TestPartner } from '../support/people.ts';
import type { TestIdentity } from '../support/start-identity.ts';
import { useIdentity } from '../support/use-identity.ts';

let identity: TestIdentity;
useIdentity((started) => ({ identity } = started));

type Made = Record<string, { id: number }>;
type Write = {
  ns: string;
  o: { operation?: string; partner_id?: number; actor?: string; objects?: string[] };
};

/** Commands that do nothing for a partner, or only read. */
const others = [
  ...['partner list', 'partner show', 'key list', 'user erase-again', 'secret-pepper status', 'seed-demo'],
  ...['signing-key list', 'signing-key rotate', 'signing-key replace'],
];

describe('what the operator does for a partner', () => {
  /** The records of the firm's operators, each with whether its transaction wrote something else, as the log of the database has it. */
  async function recordsOf(partnerId: number) {
    const oplog = identity.operator.db.getClient().db('local').collection('oplog.rs');
    const ns = `${identity.db.databaseName}.audit`;
    const isOurs = { ns, 'o.partner_id': partnerId, 'o.actor': 'operator' };
    const entries = await oplog.find({ 'o.applyOps': { $elemMatch: isOurs } }).toArray();
    return entries.flatMap(({ o: { applyOps } }) => {
      const writes = applyOps as Write[];
      const hasEffect = writes.some((write) => write.ns !== ns);
      return writes
        .filter(({ ns: of }) => of === ns)
        .map(({ o }) => ({ operation: o.operation, objects: o.objects, hasEffect }));
    });
  }

  async function commandsOf(firm: TestPartner): Promise<[words: string, args: string[], object: string][]> {
    const id = String(firm.as.partner_id);
    const [user, key, invited] = [
      await makeUser(identity, firm),
      (await admin(identity, 'key', 'create', '--partner', id)).key as { id: number },
      (await admin(identity, 'staff', 'invite', '--partner', id, '--email', someAddress())).staff_member as {
        id: number;
      },
    ];
    const second_factor_since = new Date();
    await identity.db
      .collection('staff')
      .updateOne({ _id: invited.id as never }, { $set: { second_factor_since } });
    const [ofFirm, ofUser, ofStaff] = [
      ['--partner', id],
      ['--user', String(user.id)],
      ['--staff', String(invited.id)],
    ];
    const [partner, person, member] = [`partner:${id}`, `user:${user.id}`, `staff:${invited.id}`];
    return [
      ['partner set', [...ofFirm, '--time-zone', 'America/Chicago'], partner],
      ['partner suspend', ofFirm, partner],
      ['partner reactivate', ofFirm, partner],
      ['key rotate', ['--key', String(key.id), '--overlap-seconds', '0'], `key:${key.id}`],
      ['key revoke', ['--key', firm.as.key_id], `key:${firm.as.key_id}`],
      ['console link', ofFirm, 'console_link:'],
      ['user suspend', ofUser, person],
      ['user reactivate', ofUser, person],
      ['user delete', ['--users', String(user.id)], person],
      ['staff reset-second-factor', ofStaff, member],
      ['staff erase', ofStaff, member],
      ['partner delete', [id, '--name', 'Operated Firm'], partner],
      ['partner restore', [id], partner],
    ];
  }

  it('is recorded for the partner by every command, in the transaction of its effect', async () => {
    const firm = await makePartner(identity, 'Operated Firm');
    const commands = await commandsOf(firm);
    for (const [words, args] of commands) await admin(identity, ...words.split(' '), ...args);
    const { partner } = (await admin(
      identity,
      ...['partner', 'create', '--name', 'Made Firm', '--email', 'made@example.com'],
    )) as Made;
    const made = await recordsOf(partner?.id ?? 0);
    expect(made.map(({ operation }) => operation)).toContain('admin partner create');
    const found = await recordsOf(firm.as.partner_id);
    for (const [words, , object] of [
      ['key create', [], 'key:'] as const,
      ['staff invite', [], 'staff:'] as const,
      ...commands,
    ]) {
      const records = found.filter(({ operation }) => operation === `admin ${words}`);
      expect([words, records.length]).toEqual([words, 1]);
      const named = records.flatMap(({ objects }) => objects ?? []);
      expect([words, named.some((one) => one.startsWith(object))]).toEqual([words, true]);
    }
    expect([...made, ...found].filter(({ hasEffect }) => !hasEffect)).toEqual([]);
    // Every other command is named here, so that a new one is not forgotten.
    const said: string[] = [];
    const { runAdmin } = await import('../../src/admin/run-admin.ts');
    await runAdmin(['nothing'], {}, { out: () => {}, err: (line) => void said.push(line) });
    const known = [
      ...commands.map(([words]) => words),
      ...['partner create', 'key create', 'staff invite', ...others],
    ];
    const forms = said.join('\n').split('\n').slice(1);
    expect(forms.length).toBeGreaterThan(20);
    const unknown = forms.filter(
      (line) => !known.some((words) => new RegExp(`-- ${words}( |$)`).test(line.trim())),
    );
    expect(unknown).toEqual([]);
  });

  it('is not recorded where it changes nothing', async () => {
    const firm = await makePartner(identity, 'Idle Firm');
    await admin(identity, 'partner', 'reactivate', '--partner', String(firm.as.partner_id));
    const found = await recordsOf(firm.as.partner_id);
    expect(found.map(({ operation }) => operation)).not.toContain('admin partner reactivate');
  });
});
