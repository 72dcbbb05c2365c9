import { type PersonField, personField, requests } from '@casewatch/contracts';
import { type Bus, fetchPeople } from '@casewatch/platform';
import { connectAs, connectDatabase } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { database } from '../../src/store/database.ts';
import { admin, makePartner, makeUser, type TestPartner, type WireUser } from '../support/people.ts';
import { publicUrl, startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

const allFields = personField.options;
/** NATS's limit of a message, bytes. */
const maxPayload = 1_048_576;

describe('identity.people', () => {
  let identity: TestIdentity;
  let cases: Bus;
  let webhooks: Bus;
  let firm: TestPartner;
  let other: TestPartner;
  let ana: WireUser;
  let theirs: WireUser;
  const directId = 70_001;

  beforeAll(async () => {
    identity = await startTestIdentity();
    cases = await connectAs(identity.nats, 'cases');
    webhooks = await connectAs(identity.nats, 'webhooks');
    firm = await makePartner(identity, 'Law Firm');
    other = await makePartner(identity, 'Other Firm');
    const settings = ['--case-url', 'https://firm.example/{user_case_id}', '--reply-to', 'help@firm.example'];
    const more = ['--support-contact', '+1 202 555 0100', '--time-zone', 'America/Chicago'];
    await admin(identity, 'partner', 'set', '--partner', idOf(firm), ...settings, ...more);
    ana = await makeUser(identity, firm, {
      phone: '+12025550123',
      notify_by_whatsapp: true,
      preferred_language: 'pt',
    });
    theirs = await makeUser(identity, other);
    const row = await users().findOne({ _id: ana.id });
    const address = { email: 'direct@example.com', email_lower: 'direct@example.com' };
    await users().insertOne({ ...row, ...address, _id: directId, partner_id: null });
  });
  afterAll(async () => {
    await Promise.all([cases, webhooks].map((bus) => bus.stop()));
    await identity.stop();
  });

  const idOf = ({ as }: TestPartner) => String(as.partner_id);
  const users = () => identity.db.collection<{ _id: number; partner_id: number | null }>('users');
  const ask = async (ids: number[], fields: PersonField[] = ['email'], partner_id?: number) => {
    const data = { ids, fields, ...(partner_id !== undefined && { partner_id }) };
    return (await cases.request('identity.people', data)).people;
  };

  it('finds the people of one partner by name and address, and no direct user', async () => {
    const find = (q: string, partner_id = firm.as.partner_id) =>
      cases.request('identity.find', { partner_id, q });
    const jose = await makeUser(identity, firm, { name: 'José da Silva', email: 'zeca.dom@many.example' });
    for (const q of ['jose', 'SILVA josé', 'zeca', 'dom@many', 'many.ex', 'zeca.dom@many.example'])
      expect([q, await find(q)]).toEqual([q, { user_ids: [jose.id], more: false }]);
    for (const q of ['osé', 'ample', '', '.*', 'direct@example.com'])
      expect([q, await find(q)]).toEqual([q, { user_ids: [], more: false }]);
    expect(await find('jose', other.as.partner_id)).toEqual({ user_ids: [], more: false });
    await identity.call('PUT', `/v1/client/users/${jose.id}`, {
      as: firm.as,
      body: { email: 'moved@many.example' },
    });
    expect((await find('zeca')).user_ids).toEqual([]);
    expect((await find('moved')).user_ids).toEqual([jose.id]);
  });

  it('finds people who were stored without words after the next start', async () => {
    await users().updateOne({ _id: theirs.id }, { $unset: { words: 1 } });
    const q = theirs.email;
    const find = () => cases.request('identity.find', { partner_id: other.as.partner_id, q });
    expect((await find()).user_ids).toEqual([]);
    const db = await connectDatabase(identity.mongoUrl);
    await database.prepare?.(db);
    await db.close();
    expect((await find()).user_ids).toEqual([theirs.id]);
    expect(await users().countDocuments({ words: { $exists: false } } as object)).toBe(0);
  });

  it('tells every field of a person', async () => {
    expect(await ask([ana.id], allFields)).toEqual([
      {
        ...ana,
        partner_id: firm.as.partner_id,
        whatsapp_consent_at: ana.created_at,
        version: 1,
        partner_name: 'Law Firm',
        partner_logo_url: null,
        partner_notify_unverified: false,
        partner_case_url: 'https://firm.example/{user_case_id}',
        partner_reply_to: 'help@firm.example',
        partner_support_contact: '+1 202 555 0100',
        partner_time_zone: 'America/Chicago',
      },
    ]);
  });

  it.each(allFields)('tells %s and no other field', async (field) => {
    const [all] = await ask([ana.id], allFields);
    expect(all).toHaveProperty(field);
    // As it travels: a reader of the contract would leave out what it does not know.
    const raw = await rawPeople({ ids: [ana.id], fields: [field] });
    expect(raw).toEqual([{ id: ana.id, [field]: all?.[field] }]);
  });

  it('tells two fields, and one that is there twice once', async () => {
    const both = { id: ana.id, phone: '+12025550123', preferred_language: 'pt' };
    expect(await ask([ana.id], ['phone', 'preferred_language', 'phone'])).toEqual([both]);
  });

  it('tells of a direct user without a partner', async () => {
    const [direct] = await ask([directId], allFields);
    const ofPartner = Object.entries(direct ?? {}).filter(([name]) => name.startsWith('partner_'));
    expect(Object.fromEntries(ofPartner)).toEqual({
      partner_id: null,
      partner_name: null,
      partner_logo_url: null,
      partner_notify_unverified: false,
      partner_case_url: null,
      partner_reply_to: null,
      partner_support_contact: null,
      partner_time_zone: null,
    });
  });

  it('leaves out who was never there and who is deleted, and answers an id that is there twice once', async () => {
    const gone = await makeUser(identity, firm);
    const path = `/v1/client/users/${gone.id}`;
    expect((await ask([gone.id])).map(({ id }) => id)).toEqual([gone.id]);
    const removed = await identity.call('DELETE', path, { as: firm.as });
    expect(removed.status).toBe(200);
    const found = await ask([999_999, ana.id, gone.id, ana.id], ['email']);
    expect(found).toEqual([{ id: ana.id, email: ana.email }]);
  });

  it('tells of a person who is suspended, with that status: what follows from it is up to the asker', async () => {
    const blocked = await makeUser(identity, firm);
    await admin(identity, 'user', 'suspend', '--user', String(blocked.id));
    expect(await ask([blocked.id], ['status'])).toEqual([{ id: blocked.id, status: 'suspended' }]);
  });

  it('tells of people of the partner that is named, and of no others', async () => {
    const everybody = [ana.id, theirs.id, directId];
    const mine = await ask(everybody, ['email'], firm.as.partner_id);
    expect(mine).toEqual([{ id: ana.id, email: ana.email }]);
    expect((await ask(everybody, ['email'], other.as.partner_id)).map(({ id }) => id)).toEqual([theirs.id]);
    expect(await ask(everybody, ['email'], 999_999)).toEqual([]);
    expect((await ask(everybody)).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
      everybody.toSorted((a, b) => a - b),
    );
  });

  it('tells webhooks of people of a partner that it names, and refuses a question without one', async () => {
    const question = { ids: [ana.id, directId], fields: ['email' as const] };
    const named = { ...question, partner_id: firm.as.partner_id };
    expect(await webhooks.request('identity.people', named)).toEqual({
      people: [{ id: ana.id, email: ana.email }],
    });
    await expect(webhooks.request('identity.people', question)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it.each(['monitor', 'identity'] as const)('is not to be asked by %s', async (service) => {
    const bus = await connectAs(identity.nats, service);
    const question = JSON.stringify({ ids: [ana.id], fields: ['email'] });
    await expect(bus.connection.request('identity.people', question)).rejects.toThrow(
      /permissions violation/i,
    );
    await bus.stop();
  });

  it.each([
    ['no id', { ids: [] }],
    ['201 ids', { ids: Array.from({ length: 201 }, (_, i) => i + 1) }],
    ['an id that is a text', { ids: ['1'] }],
    ['an id that is 0', { ids: [0] }],
    ['no field', { fields: [] }],
    ['no fields', { fields: undefined }],
    ['a partner that is null', { partner_id: null }],
  ])('refuses a question with %s', async (_what, change) => {
    const question = { ids: [ana.id], fields: ['email'], ...change };
    expect(requests['identity.people'].request.safeParse(question).success).toBe(false);
    await expect(rawPeople(question)).rejects.toThrow('internal_error');
  });

  it('answers ids alone where it does not know the field', async () => {
    expect(await rawPeople({ ids: [ana.id], fields: ['field_of_tomorrow'] })).toEqual([{ id: ana.id }]);
  });

  /** What identity sends, before it is read by the contract. */
  async function rawPeople(question: object): Promise<unknown[]> {
    const reply = '_INBOX_cases.identity.raw';
    const options = { timeout: 5_000, noMux: true, reply };
    const message = await cases.connection.request('identity.people', JSON.stringify(question), options);
    const answer = message.json<{ data?: { people: unknown[] }; error?: { code: string } }>();
    if (!answer.data) throw new Error(answer.error?.code);
    return answer.data.people;
  }

  describe('about 200 people with the longest fields', () => {
    const ids = Array.from({ length: 200 }, (_, i) => 80_000 + i);
    const partners = () => identity.db.collection<{ _id: number }>('partners');
    const email = (n: number) => `${String(n).padStart(64, 'x')}@${'d'.repeat(185)}.com`;
    // Three bytes each.
    const long = (count: number) => '漢'.repeat(count);

    beforeAll(async () => {
      const row = await users().findOne({ _id: ana.id });
      const partner = await partners().findOne({ _id: firm.as.partner_id });
      const texts = { name: long(120), phone: '+123456789012345' };
      await users().insertMany(
        ids.map((_id) => ({
          ...row,
          ...texts,
          _id,
          partner_id: _id,
          email: email(_id),
          email_lower: email(_id),
        })),
      );
      await partners().insertMany(
        ids.map((_id) => ({
          ...partner,
          _id,
          name: long(120),
          logo_name: `${'a'.repeat(22)}.webp`,
          case_url: `https://${long(492)}`,
          reply_to: email(_id),
          support_contact: long(200),
          time_zone: 'America/Argentina/ComodRivadavia',
        })),
      );
    });

    it('fits into one message', async () => {
      const people = await ask(ids, allFields);
      expect(people.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
      const bytes = Buffer.byteLength(JSON.stringify({ ok: true, data: { people } }));
      // The public address may have another 250 characters.
      expect(bytes + ids.length * 250).toBeLessThan(maxPayload - Buffer.byteLength(publicUrl));
    });

    it('is asked in parts where there are more', async () => {
      const more = [...ids, ana.id, theirs.id, 999_999];
      const found = await fetchPeople(cases, more, { fields: ['name'] });
      expect([...found.keys()].toSorted((a, b) => a - b)).toEqual(
        [...ids, ana.id, theirs.id].toSorted((a, b) => a - b),
      );
    });

    it('is an error, and no shorter list, where rows are longer than any could be', async () => {
      await partners().updateMany({ _id: { $in: ids } }, { $set: { case_url: `https://${long(2_000)}` } });
      await expect(ask(ids, ['partner_case_url'])).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(await ask(ids, ['email'])).toHaveLength(200);
    });
  });
});

describe('identity.partner', () => {
  it('tells the contact address and the limit of cases that an operator set, to cases and webhooks alone', async () => {
    const identity = await startTestIdentity();
    const firm = await makePartner(identity, 'Law Firm');
    const webhooks = await connectAs(identity.nats, 'webhooks');
    const notifier = await connectAs(identity.nats, 'notifier');
    const question = { partner_id: firm.as.partner_id };
    expect(await webhooks.request('identity.partner', question)).toEqual({
      email: 'office@example.com',
      case_limit: null,
    });
    const cases = await connectAs(identity.nats, 'cases');
    const limitAfter = async (value: string) => {
      await admin(
        identity,
        'partner',
        'set',
        '--partner',
        String(question.partner_id),
        '--case-limit',
        value,
      );
      return (await cases.request('identity.partner', question)).case_limit;
    };
    expect(await limitAfter('5000')).toBe(5_000);
    for (const value of ['0', '-1', '1.5', 'many', '']) await expect(limitAfter(value)).rejects.toThrow();
    expect((await cases.request('identity.partner', question)).case_limit).toBe(5_000);
    expect(await limitAfter('none')).toBeNull();
    const asked = notifier.connection.request('identity.partner', JSON.stringify(question));
    await expect(asked).rejects.toThrow(/permissions violation/i);
    await Promise.all([cases, webhooks, notifier].map((bus) => bus.stop()));
    await identity.stop();
  });
});
