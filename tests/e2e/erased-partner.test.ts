import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type OperationName,
  operations,
  type Principal,
  scopesOfRole,
  serviceNames,
} from '@casewatch/contracts';
import {
  approved,
  createPartner,
  hooksOf,
  newReceipt,
  type PartnerWithKey,
  received,
  setReceipt,
  titled,
} from '@casewatch/driver';
import { connectNats, principalHeader, principalSigner } from '@casewatch/platform';
import { connectDatabase, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { consoleLink, enterConsole } from '../support/console.ts';
import { allHandled, type Entry, ledgerOf, placesWith, placesWithId } from '../support/ledger.ts';
import { newPartner, operator } from '../support/operator.ts';
import { acceptWithSecondFactor } from '../support/staff.ts';
import { type DevFile, describeOwnSystem } from '../support/system.ts';
import { startSystemInProcess } from '../support/system-in-process.ts';

/** Ids that stand for nothing else: they are looked for as numbers in everything that is stored. */
const firstIds = { partners: 7_340_021, staff: 8_450_031, users: 9_560_041 };
const dayMs = 24 * 60 * 60 * 1_000;
const noticeDay = new Date(Date.now() + 60 * dayMs).toISOString().slice(0, 10);
const patience = { timeoutMs: 90_000, intervalMs: 250 };

/** What may name an erased partner, member or person by id, and why. Names and addresses stand nowhere. */
const mayStay: Readonly<Record<string, string>> = {
  'identity.outbox': 'events that were published: 8 days, of erased people 400',
  'cases.outbox': 'events that were published: 8 days',
  'monitor.outbox': 'events that were published: 8 days',
  'notifier.outbox': 'events that were published: 8 days',
  'webhooks.outbox': 'events that were published: 8 days',
  'stream IDENTITY': 'events: 7 days',
  'stream ERASED': 'erased people stay erased after a restore: 400 days',
  'stream CASES': 'events: 7 days',
  'stream STATUS': 'events: 7 days',
  'stream NOTIFICATIONS': 'events: 7 days',
  'stream WEBHOOKS': 'events: 7 days',
  'identity.counters': 'the next id',
  'identity.revocations': 'what gateways have to ask again: 1 day',
  'identity.erased_users': 'ids of erased people: 400 days',
  'cases.erased_users': 'ids of erased people: 400 days',
  'notifier.erased_users': 'ids of erased people: 400 days',
  'cases.user_states': 'ids of erased people: 400 days',
  'cases.staff_states': 'ids of removed members: 400 days',
  'cases.acknowledgements': 'who stated that access is authorized: without person, receipt and address',
  'monitor.erased_users': 'ids of erased people: 400 days',
  'notifier.tombstones': 'ids of erased people: 400 days',
  'notifier.partner_tombstones': 'ids of erased partners: 400 days',
  'notifier.staff_tombstones': 'ids of removed members: 400 days',
  'webhooks.erased_users': 'ids of erased people: 400 days',
  'webhooks.partners': 'the id of an erased partner: 400 days',
};

describeOwnSystem('what the stores hold', () => {
  let system: Awaited<ReturnType<typeof startSystemInProcess>>;
  let dev: DevFile;
  let nats: Awaited<ReturnType<typeof connectNats>>;
  beforeAll(async () => {
    system = await startSystemInProcess({ RATE_LIMIT_SCALE: '300', NOTIFY_DIGEST_WINDOW_S: '0' });
    dev = JSON.parse(readFileSync(join(system.dataDir, 'dev.json'), 'utf8'));
    const { user, pass: password } = system.nats.operator;
    nats = await connectNats(user, { url: system.nats.url, user, password }, { waits: false });
    const db = await connectDatabase(system.mongo.url('identity'));
    for (const [_id, next] of Object.entries(firstIds))
      await db
        .collection<{ _id: string }>('counters')
        .updateOne({ _id }, { $set: { next } }, { upsert: true });
    await db.close();
  });
  afterAll(async () => {
    await nats.close();
    await system.stop();
  });

  const ledger = () => ledgerOf(system, nats);

  /** A call of a member, as the gateway signs it. */
  async function asMember(
    name: OperationName,
    { partnerId, staffId, path, body }: { partnerId: number; staffId: number; path: string; body?: object },
  ) {
    const { method, service } = operations[name];
    const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    const principal: Principal = {
      kind: 'partner',
      partner_id: partnerId,
      key_id: '',
      scopes: [...scopesOfRole.owner],
      staff_id: staffId,
      role: 'owner',
      signed_in_at: Math.floor(Date.now() / 1_000),
    };
    const write = method === 'GET' ? undefined : { method, path: path.split('?')[0] ?? '' };
    const sign = principalSigner(JSON.parse(env.gateway.PRINCIPAL_KEY));
    const response = await fetch((dev.services[service]?.url ?? '') + path, {
      method,
      headers: {
        [principalHeader]: sign({ principal, address: '203.0.113.9' }, service, write),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const read = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(read)}`);
    return read;
  }

  /** A member who accepted the invitation, and so is signed in once, set up a second factor and made a calendar address. */
  async function member(keys: PartnerWithKey, name: string, role: string) {
    const email = `${name.toLowerCase().replace(' ', '.')}@ledger.example`;
    const partner = createPartner(dev, keys);
    const { body } = await partner.call<{ staff_member: { id: number } }>('POST', '/v1/client/staff', {
      email,
      name,
      role,
    });
    const browser = await acceptWithSecondFactor(dev, email);
    expect((await browser.post('/console/sessions/calendar', {})).status).toBe(200);
    return { id: body.staff_member.id, email, name };
  }

  /** A firm with something in every place that can hold something about it. */
  async function busyFirm(name: string, suffix: string, personEmail: string) {
    const keys = await newPartner(system.dataDir, name);
    const partner = createPartner(dev, keys);
    const [owner, editor] = [
      await member(keys, `Olga Owner${suffix}`, 'owner'),
      await member(keys, `Edna Editor${suffix}`, 'editor'),
    ];
    const hook = `ledger-${keys.id}`;
    const { id: webhookId } = await partner.newWebhook(hook, ['*']);
    const person = await partner.verifiedUser({ email: personEmail, name: `Petra Person${suffix}` });
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    const at = { partnerId: keys.id, staffId: editor.id };
    const made = await asMember('create_partner_case', {
      ...at,
      path: `/v1/client/users/${person.id}/cases`,
      body: { receipt_number: receipt, uscis_access_acknowledged: true, description: `Words${suffix}` },
    });
    const caseId = (made.case as { id: number }).id;
    const assigned = await partner.call('PUT', `/v1/client/cases/FLOW${String(caseId).padStart(7, '0')}`, {
      assignee_id: editor.id,
    });
    expect(assigned.status).toBe(200);
    const other = newReceipt();
    await setReceipt(dev, other, received);
    const checked = await partner.call('POST', '/v1/check', { receipt_number: other });
    expect(checked.status).toBe(200);
    await setReceipt(dev, receipt, approved);
    const change = await waitFor(async () => {
      const { body } = await partner.call<{ changes: { id: number }[] }>('GET', '/v1/client/changes');
      return body.changes[0];
    }, patience);
    await asMember('review_changes', {
      ...at,
      path: '/v1/client/changes/review',
      body: { ids: [change.id], reviewed: true },
    });
    await setReceipt(dev, receipt, titled('Request for Additional Evidence Was Sent'));
    await waitFor(
      async () => {
        const path = `/v1/client/cases/FLOW${String(caseId).padStart(7, '0')}`;
        type Shown = { case: { latest_update: { category: string } | null } };
        const { body } = await partner.call<Shown>('GET', path);
        return body.case.latest_update?.category === 'evidence';
      },
      { ...patience, what: 'the request for evidence' },
    );
    await asMember('update_partner_case', {
      ...at,
      path: `/v1/client/cases/FLOW${String(caseId).padStart(7, '0')}`,
      body: { respond_by: noticeDay, respond_done: true },
    });
    await waitFor(
      async () => (await hooksOf(dev, hook)).some(({ body }) => body.includes('case.status_updated')),
      { ...patience, what: 'the delivery' },
    );
    await partner.call('PUT', '/v1/client/profile', { support_contact: `Contact${suffix}` });
    await enterConsole(dev, await consoleLink(dev, keys, { actor: `Actor${suffix}` }));
    await consoleLink(dev, keys, { actor: `Actor${suffix}` });
    await partner.call('GET', '/v1/client/users');
    // A refused row keeps its sealed cells, and makes nobody.
    const rows = [
      {
        receipt_number: newReceipt(),
        email: personEmail,
        name: `Petra Person${suffix}`,
        uscis_access_acknowledged: false,
      },
    ];
    const imported = await partner.call<{ import: { id: number } }>('POST', '/v1/client/imports', { rows });
    expect(imported.status).toBe(202);
    await waitFor(
      async () => {
        const path = `/v1/client/imports/${imported.body.import.id}`;
        const { body } = await partner.call<{ import: { state: string } }>('GET', path);
        return body.import.state === 'done';
      },
      { ...patience, what: 'the import' },
    );
    await allHandled(nats);
    return { keys, partner, owner, editor, person, receipt, caseId, changeId: change.id, webhookId, hook };
  }

  const wordsOf = (firm: Awaited<ReturnType<typeof busyFirm>>, name: string, suffix: string) => [
    name,
    ...[firm.owner, firm.editor].flatMap((each) => [each.email, each.name]),
    `Petra Person${suffix}`,
    `Words${suffix}`,
    `Contact${suffix}`,
    `Actor${suffix}`,
  ];

  /** Receipt numbers are in events, which name nobody. */
  const inEvents = (place: string) => place.endsWith('.outbox') || place.startsWith('stream ');

  const doneBy = (staffId: number) =>
    new RegExp(`"respond_done":{[^}]*"by":{"kind":"staff","id":${staffId}(?!\\d)`);

  /** Each stored document that names the member by id, and is personal, must be told by the export. */
  function expectExported(entries: readonly Entry[], staffId: number, exported: Record<string, unknown>) {
    const lists = exported as Record<string, Record<string, unknown>[]>;
    const count = (place: string, pattern: RegExp) =>
      entries.filter((entry) => entry.place === place && pattern.test(entry.text)).length;
    const id = `(?<!\\d)${staffId}(?!\\d)`;
    const named = (field: string) => new RegExp(`"${field}":${id}`);
    expect({
      sessions: lists.sessions?.length,
      invitations: lists.invitations?.length,
      notices: lists.notices?.length,
      records: lists.records?.length,
      acknowledgements: lists.acknowledgements?.length,
      reviews: lists.reviews?.length,
      alerts: lists.alerts_sent?.length,
      answers: lists.answers_sent?.length,
      cases: lists.assigned_case_ids?.length,
    }).toEqual({
      sessions: count('identity.staff_sessions', named('staff_id')),
      invitations: count('identity.staff_invitations', named('staff_id')),
      notices: count('identity.staff_notices', named('staff_id')),
      records: count('identity.audit', new RegExp(`"staff:${staffId}"`)),
      acknowledgements: count('cases.acknowledgements', named('staff_id')),
      reviews: count('cases.status_updates', new RegExp(`"reviewed_by":{"kind":"staff","id":${id}`)),
      alerts: count('notifier.alerts', named('staff_id')),
      answers: count('cases.cases', doneBy(staffId)),
      cases: count('cases.cases', named('assignee_id')),
    });
    // Whatever else names the member is listed with the reason: a new place fails here.
    const told = [
      'identity.staff',
      'identity.staff_sessions',
      'identity.staff_invitations',
      'identity.staff_notices',
      'identity.audit',
      'cases.acknowledgements',
      'cases.status_updates',
      'cases.cases',
      'notifier.alerts',
    ];
    const others = {
      'identity.idempotency': 'answers to the creation, encrypted: 1 day',
      'identity.second_factors': 'the key, encrypted; the export says since when there is one',
      'identity.calendar_addresses': 'the secret, as a keyed hash; the export says since when there is one',
      'identity.sign_in_steps': 'the set-up of the second factor: 10 minutes',
      'notifier.alert_turns': 'when the last mail about changes went, which the export shows, too',
      'notifier.member_mails': 'the delivery of a mail about changes that the export shows: 7 days',
      'notifier.mails': 'the delivery of an invitation or notice that the export shows: 7 days',
      'webhooks.events': 'what the partner was told of a case, with the id of its member: 30 days',
    };
    const untold = placesWithId(entries, staffId).filter(
      (place) => !told.includes(place) && !(place in others) && !(place in mayStay),
    );
    expect(untold).toEqual([]);
  }

  it('about a member is in the export, and is what the design promises after removal and erasure', async () => {
    const firm = await busyFirm('Staying Law', 'Alpha', 'petra.alpha@ledger.example');
    const { editor, partner } = firm;
    // Sign-in codes, and a sign-in from another place, of which the member is told.
    await fetch(`${dev.gateway_url}/console/sign-in`, {
      method: 'POST',
      headers: { origin: dev.gateway_url },
      body: new URLSearchParams({ email: editor.email }),
    });
    await allHandled(nats);
    const path = `/v1/client/staff/${editor.id}`;
    const exported = await waitFor(async () => {
      const { body } = await partner.call<{ staff_member: Record<string, unknown> }>('GET', `${path}/export`);
      const codes = body.staff_member?.sign_in_codes as unknown[] | undefined;
      return codes?.length ? body.staff_member : null;
    }, patience);
    // The export itself is recorded; it was read before that.
    const before = (await ledger()).filter(({ text }) => !text.includes('"export_staff_member"'));
    expect(exported).toMatchObject({
      email: editor.email,
      calendar_address_since: expect.any(String),
      sessions: [{ browser: expect.any(String), network: expect.any(String) }],
      assigned_case_ids: [firm.caseId],
      acknowledgements: [{ case_id: firm.caseId }],
      reviews: [{ change_id: firm.changeId, case_id: firm.caseId }],
      answers_sent: [{ case_id: firm.caseId }],
      sign_in_codes: [{ used_at: null }],
    });
    expectExported(before, editor.id, exported as Record<string, unknown>);

    expect((await partner.call('DELETE', `${path}?reassign_to=${firm.owner.id}`)).status).toBe(200);
    await waitFor(
      async () =>
        (await ledger()).every(
          ({ place, text }) =>
            place !== 'cases.cases' || !new RegExp(`"assignee_id":${editor.id}(?!\\d)`).test(text),
        ),
      { ...patience, what: 'the reassignment' },
    );
    await allHandled(nats);
    const removed = await ledger();
    expect(placesWithId(removed, editor.id)).not.toContain('identity.calendar_addresses');
    // The address until 30 days after the removal, the name until the erasure: both in the row of the member alone.
    expect(placesWith(removed, [editor.email, editor.name])).toEqual(['identity.staff']);
    expect(placesWithId(removed, editor.id)).not.toContain('notifier.mails');
    const mailed = removed.filter(({ place }) => place === 'identity.staff_invitations');
    expect(placesWithId(mailed, editor.id)).toEqual([]);

    await operator(system.dataDir, 'staff', 'erase', '--staff', String(editor.id));
    await allHandled(nats);
    const erased = await ledger();
    expect(placesWith(erased, [editor.email, editor.name])).toEqual([]);
    const stays = {
      'identity.staff': 'the id and *Former member*',
      'identity.audit': 'who did something, as id: 1 year',
      'cases.status_updates': 'who reviewed, as id',
      'cases.cases': 'who noted that the answer is sent, as id',
      'webhooks.events': 'who worked on a case, as id: 30 days',
    };
    const left = placesWithId(erased, editor.id).filter((place) => !(place in stays) && !(place in mayStay));
    expect(left).toEqual([]);
    expect(placesWithId(erased, editor.id)).toEqual(expect.arrayContaining(Object.keys(stays)));
    expect((await partner.call('GET', `${path}/export`)).status).toBe(404);
  });

  it('about a partner is ids alone after its erasure, and another one keeps all of its own', async () => {
    const email = 'petra.both@ledger.example';
    const firm = await busyFirm('Vanishing Law', 'Beta', email);
    const kept = await busyFirm('Remaining Law', 'Gamma', email);
    const words = wordsOf(firm, 'Vanishing Law', 'Beta');
    const ids = [firm.keys.id, firm.owner.id, firm.editor.id, firm.person.id];
    const before = await ledger();
    // Would be found: every service holds something.
    expect(placesWithId(before, firm.owner.id)).toEqual(
      expect.arrayContaining(['identity.second_factors', 'identity.calendar_addresses']),
    );
    expect(placesWithId(before, firm.keys.id)).toContain('cases.imports');
    for (const service of serviceNames.filter((name) => name !== 'gateway'))
      expect([
        service,
        ids.flatMap((id) => placesWithId(before, id)).some((place) => place.startsWith(service)),
      ]).toEqual([service, true]);
    expect(placesWith(before, words).length).toBeGreaterThan(5);
    const keptWords = wordsOf(kept, 'Remaining Law', 'Gamma');
    const keptBefore = placesWith(before, keptWords);

    await operator(system.dataDir, 'partner', 'delete', String(firm.keys.id), '--name', 'Vanishing Law');
    const db = await connectDatabase(system.mongo.url('identity'));
    const row = { _id: firm.keys.id };
    const partners = db.collection<{ _id: number }>('partners');
    const past = (field: string) => ({ $subtract: [`$deletion.${field}`, 31 * dayMs] });
    await waitFor(async () => (await firm.partner.call('GET', '/v1/client/users')).status === 403, {
      timeoutMs: 30_000,
      what: 'the end of the access',
    });
    const asleep = await ledger();
    expect(placesWith(asleep, [firm.person.email, `Petra PersonBeta`])).toContain('identity.users');
    await partners.updateOne(row, [
      { $set: { 'deletion.requested_at': past('requested_at'), 'deletion.due_at': past('due_at') } },
    ]);
    await waitFor(async () => (await partners.findOne(row)) === null, { ...patience, what: 'the erasure' });
    await db.close();
    const clean = async () => {
      await allHandled(nats);
      const after = await ledger();
      const receipts = placesWith(after, [firm.receipt]).filter((place) => !inEvents(place));
      const named = [...placesWith(after, words), ...receipts];
      const byId = ids.flatMap((id) => placesWithId(after, id)).filter((place) => !(place in mayStay));
      return { after, named, byId: [...new Set(byId)] };
    };
    const settled = await waitFor(async () => {
      const state = await clean();
      return state.named.length + state.byId.length === 0 ? state : null;
    }, patience).catch(clean);
    expect({ named: settled.named, byId: settled.byId }).toEqual({ named: [], byId: [] });
    expect(ids.flatMap((id) => placesWithId(settled.after, id))).toContain('webhooks.partners');
    // The other partner has a person with the same address.
    expect(placesWith(settled.after, keptWords)).toEqual(
      expect.arrayContaining(keptBefore.filter((place) => !place.startsWith('stream'))),
    );
    const { status, body } = await kept.partner.call('GET', `/v1/client/users/${kept.person.id}`);
    expect([status, body]).toEqual([200, { user: expect.objectContaining({ email }) }]);
    expect((await kept.partner.call('GET', `/v1/client/cases?user_id=${kept.person.id}`)).body).toMatchObject(
      {
        cases: [{ id: kept.caseId }],
      },
    );
    // Acknowledgements stay without person.
    const cases = await connectDatabase(system.mongo.url('cases'));
    const acknowledged = await cases
      .collection('acknowledgements')
      .find({ partner_id: firm.keys.id })
      .toArray();
    await cases.close();
    expect(acknowledged).toMatchObject([
      { user_id: null, receipt_number: null, address: null, staff_id: firm.editor.id },
    ]);
  }, 400_000);
});
