import {
  addressWords,
  asksForAnswer,
  estimatedRespondBy,
  isUrgent,
  knownStatuses,
  searchWords,
} from '@casewatch/contracts';
import mongoose from 'mongoose';

type Row = { readonly _id: number } & Record<string, unknown>;
type Databases = { readonly identityUrl: string; readonly casesUrl: string; readonly monitorUrl: string };
type Firm = Databases & {
  readonly partnerId: number;
  readonly cases: number;
  /** Told after each batch: so many cases are stored. */
  readonly say?: (stored: number) => void;
};

const casesPerUser = 2;
const perInsert = 2_000;
const dayMs = 24 * 60 * 60 * 1_000;
const historyDays = 3 * 365;

const firstNames =
  'Ana,Luis,Mei,Amara,João,Sofía,Omar,Priya,Elena,Kofi,José,María,Carlos,Lucía,Wei,Fatima,Ivan,Nadia,Pedro,Rosa'.split(
    ',',
  );
const lastNames =
  'Silva,Moreno,Chen,Okafor,Muñoz,García,Rodríguez,Nguyen,Kim,Patel,Souza,Pérez,López,Ivanova,Haddad,Mensah,Costa,Ruiz,Díaz,Lima,Almeida,Castro,Reyes,Santos,Vargas,Rojas,Mendes,Navarro,Ortega,Peña'.split(
    ',',
  );
const notes = ['Green card', 'Petition for the spouse', 'Work permit', 'Citizenship', 'Travel document', ''];
const forms = ['I-485', 'I-130', 'I-765', 'N-400', 'I-131'];

/**
 * Fills a firm with people, cases and changes of three years, by writing rows as the services store them: through the interface, each
 * would wait for a check. It writes no events, so the monitor does not check these cases and nobody is told of them. For
 * demonstrations and measurements of what a firm sees only.
 */
export async function seedFirm({ partnerId, cases: count, say, ...urls }: Firm): Promise<void> {
  const clients = await Promise.all(
    [urls.identityUrl, urls.casesUrl, urls.monitorUrl].map((url) =>
      new mongoose.mongo.MongoClient(url).connect(),
    ),
  );
  try {
    const [identity, cases, monitor] = clients.map((client) => client.db()) as [Db, Db, Db];
    const users = Math.ceil(count / casesPerUser);
    const [userId, caseId, acknowledgementId, updateId] = await Promise.all([
      reserveIds(identity, 'users', users),
      reserveIds(cases, 'cases', count),
      reserveIds(cases, 'acknowledgements', count),
      reserveIds(monitor, 'status_update', 2 * count),
    ]);
    const staff = await identity
      .collection('staff')
      .find({ partner_id: partnerId, removed_at: null })
      .toArray();
    const first = { userId, caseId, acknowledgementId, updateId };
    const maker = makerOf({ partnerId, now: Date.now(), first, staff: staff.map(({ _id }) => Number(_id)) });
    for (let from = 0; from < count; from += perInsert) {
      const places = Array.from({ length: Math.min(perInsert, count - from) }, (_, i) => from + i);
      const people = places
        .filter((place) => place % casesPerUser === 0)
        .map((place) => place / casesPerUser);
      const made = places.map(maker.caseOf);
      await Promise.all([
        insert(identity, 'users', people.map(maker.userOf)),
        insert(
          cases,
          'user_states',
          people.map((person) => maker.userStateOf(person, made)),
        ),
        insert(
          cases,
          'cases',
          made.map(({ row }) => row),
        ),
        insert(
          cases,
          'status_updates',
          made.flatMap(({ updates }) => updates),
        ),
        insert(
          cases,
          'acknowledgements',
          made.map(({ acknowledgement }) => acknowledgement),
        ),
      ]);
      say?.(from + places.length);
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

type Db = mongoose.mongo.Db;

/** As the services reserve their ids. Returns the first of `count`. */
async function reserveIds(db: Db, name: string, count: number): Promise<number> {
  const counters = db.collection<{ _id: string; next: number }>('counters');
  const options = { upsert: true, returnDocument: 'after' } as const;
  const row = await counters.findOneAndUpdate({ _id: name }, { $inc: { next: count } }, options);
  return (row?.next ?? count) - count + 1;
}

async function insert(db: Db, collection: string, rows: readonly Row[]): Promise<void> {
  if (rows.length > 0) await db.collection<Row>(collection).insertMany([...rows], { ordered: false });
}

type Ids = Record<'userId' | 'caseId' | 'acknowledgementId' | 'updateId', number>;
type Made = { row: Row; updates: Row[]; acknowledgement: Row };

function makerOf(firm: { partnerId: number; now: number; first: Ids; staff: readonly number[] }) {
  const { partnerId, now, first, staff } = firm;
  const statuses = knownStatuses();
  const run = now.toString(36);
  const at = (daysAgo: number) => new Date(now - daysAgo * dayMs);

  function userOf(person: number): Row {
    const name = `${of(firstNames, person)} ${of(lastNames, spread(person, 7))} ${of(lastNames, spread(person, 11))}`;
    const local = `${name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '.')}.${run}${person}`;
    const email = `${local}@clients.example`;
    const created = at(historyDays * evenly(person));
    return {
      _id: first.userId + person,
      partner_id: partnerId,
      name,
      email,
      email_lower: email,
      words: [...searchWords([name]), ...addressWords(email).map((word) => `@${word}`)],
      pending_email: null,
      // A block that nobody has (North American Numbering Plan, fictional use).
      phone: `+1202555${String(person % 10_000).padStart(4, '0')}`,
      notify_by_email: true,
      notify_by_whatsapp: false,
      whatsapp_consent: null,
      email_opt_out: null,
      whatsapp_opt_out: null,
      preferred_language: of(['en', 'es', 'pt'], person),
      email_verified_at: person % 6 === 5 ? null : created,
      verification_queued_at: null,
      last_sign_in_at: null,
      status: person % 50 === 49 ? 'inactive' : 'active',
      suspended_by: null,
      version: 1,
      created_at: created,
      updated_at: created,
    };
  }

  function userStateOf(person: number, made: readonly Made[]): Row {
    const _id = first.userId + person;
    const own = made.filter(({ row }) => row.user_id === _id && row.active);
    const status = person % 50 === 49 ? 'inactive' : 'active';
    return { _id, version: 1, status, deleted: false, active_cases: own.length, followed: 1 };
  }

  function observed(place: number, observation: number, timestamp: Date) {
    const status = of(statuses, observation === 1 ? 0 : spread(place, 13));
    const { en: status_code, es, pt, code, category, meaning } = status;
    const texts = { status_code, category };
    const form_type = of(forms, place);
    const status_description = meaning.en;
    const asked = { ...texts, status_description, form_type, title_modified_date: timestamp };
    return {
      facts: texts,
      values: {
        kind: observation === 1 ? 'baseline' : 'status',
        observation,
        timestamp,
        status_code,
        status_description,
        status_code_es: es,
        status_description_es: meaning.es,
        status_code_pt: pt,
        status_description_pt: meaning.pt,
        status_slug: code,
        category,
        form_type,
        submitted_date: timestamp,
        modified_date: timestamp,
        title_modified_date: timestamp,
        respond_by: estimatedRespondBy(asked, timestamp),
        history: [],
        spanish_source: 'casewatch',
        changes: observation === 1 ? [] : ['title', 'text'],
        touched_at: null,
        urgent: isUrgent(texts),
      },
    };
  }

  function caseOf(place: number): Made {
    const _id = first.caseId + place;
    const person = Math.floor(place / casesPerUser);
    const user_id = first.userId + person;
    const age = historyDays * evenly(person) * (0.2 + 0.8 * evenly(place * 3 + 1));
    const created = at(age);
    const hasChanged = place % 5 !== 0;
    const changed = hasChanged ? at(age * evenly(place * 5 + 2)) : null;
    const active = place % 5 < 3 && person % 50 !== 49;
    const checked = at(evenly(place * 7 + 3) * (active ? 1 : age));
    const receipt_number = `EAC8${String(_id % 1_000_000_000).padStart(9, '0')}`;
    const reference = place % 2 === 0 ? `${2024 + (place % 3)}-${1_000 + Math.floor(place / 4)}` : null;
    const assignee_id = place % 4 === 3 || staff.length === 0 ? null : of(staff, spread(place, 5));
    const description = of(notes, place);
    const base = observed(place, 1, created);
    const latest = changed ? observed(place, 2, changed) : base;
    const ids = [first.updateId + 2 * place, first.updateId + 2 * place + 1] as const;
    const state = place % 100 === 1 ? 'not_found' : place % 200 === 2 ? 'rejected' : 'watched';
    const isOverdue = active && state === 'watched' && place % 300 === 6;
    const notified = {
      notified: 0,
      email_notify_status: 'skipped',
      whatsapp_notify_status: 'skipped',
      email_notify_attempts: 0,
      whatsapp_notify_attempts: 0,
      email_notify_last_error: null,
      whatsapp_notify_last_error: null,
      email_notify_sent_at: null,
      whatsapp_notify_sent_at: null,
      email_notify_revision: 0,
      whatsapp_notify_revision: 0,
    };
    const change = (when: Date, shown: typeof base, already_open: boolean) => ({
      partner_id: partnerId,
      at: when,
      urgent: isUrgent(shown.facts),
      already_open,
      previous_status_code: already_open ? null : base.facts.status_code,
      assignee_id,
      // What is older than a fortnight was looked at.
      reviewed: now - when.getTime() > 14 * dayMs,
      reviewed_at: null,
      reviewed_by: null,
    });
    const updates: Row[] = [
      {
        _id: ids[0],
        case_id: _id,
        ...base.values,
        ...notified,
        ...(asksForAnswer(base.facts) && { change: change(created, base, true) }),
      },
      ...(changed
        ? [
            {
              _id: ids[1],
              case_id: _id,
              ...latest.values,
              ...notified,
              change: change(changed, latest, false),
            },
          ]
        : []),
    ];
    const row: Row = {
      _id,
      user_id,
      partner_id: partnerId,
      receipt_number,
      description,
      assignee_id,
      reference,
      words: searchWords([
        receipt_number,
        `FLOW${String(_id).padStart(7, '0')}`,
        reference ?? '',
        description,
      ]),
      active,
      watched: active,
      watched_since: created,
      watched_version: 1,
      version: 1,
      created_at: created,
      updated_at: changed ?? created,
      last_checked: checked,
      overdue_since: isOverdue ? new Date(checked.getTime() + dayMs / 24) : null,
      update_count: updates.length,
      changed_at: changed,
      respond_by: latest.values.respond_by,
      respond_done: null,
      due_on: latest.values.respond_by?.date ?? '9999-12-31',
      due_version: 0,
      latest_update: { id: ids[changed ? 1 : 0], ...latest.values },
      monitoring: { state, since: created, next_check_at: null, revision: 1 },
      uscis_access_acknowledged_at: created,
      uscis_access_ack_version: '2026-11',
      attachments: 0,
    };
    const acknowledgement = {
      _id: first.acknowledgementId + place,
      case_id: _id,
      version: '2026-11',
      acknowledged_at: created,
      partner_id: partnerId,
      key_id: '1',
      staff_id: null,
      address: null,
      user_id,
      receipt_number,
    };
    return { row, updates, acknowledgement };
  }
  return { userOf, userStateOf, caseOf };
}

function of<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('no values to choose from');
  return value;
}

/** From 0 to 1. Multiples of the golden ratio lie evenly and in no order. */
function evenly(index: number): number {
  return (index * 0.618_033_988_75) % 1;
}

/** An index that does not go with the place. */
function spread(place: number, salt: number): number {
  return Math.floor(evenly(place * salt + salt) * 1_000_003);
}
