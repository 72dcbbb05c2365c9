import type { Person, PersonField, RequestData } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';

type Question = RequestData<'identity.people'>;

/** Answers `identity.people` as identity does, with what `find` knows. `onQuestion`: before each answer. */
export function servePeople(
  identity: Bus,
  find: (id: number) => Person | undefined,
  onQuestion: (question: Question) => unknown = () => {},
): () => Promise<void> {
  return identity.serve('identity.people', async (question) => {
    const people = [...new Set(question.ids)].flatMap((id) => find(id) ?? []);
    const isOfPartner = ({ partner_id }: Person) =>
      question.partner_id === undefined || partner_id === question.partner_id;
    const answer = { people: people.filter(isOfPartner).map((person) => only(person, question.fields)) };
    await onQuestion(question);
    return answer;
  });
}

function only(person: Person, fields: readonly PersonField[]) {
  return { ...Object.fromEntries(fields.map((field) => [field, person[field]])), id: person.id };
}

/** Somebody whose address is not verified and who has no phone. */
export function aPerson(id: number, over: Partial<Person> = {}): Person {
  const at = '2026-11-01T10:00:00.000Z';
  return {
    id,
    partner_id: 1,
    email: `person-${id}@example.org`,
    name: 'Ana Example',
    phone: null,
    status: 'active',
    preferred_language: 'en',
    notify_by_email: true,
    notify_by_whatsapp: false,
    whatsapp_consent_at: null,
    email_verified_at: null,
    version: 1,
    created_at: at,
    updated_at: at,
    partner_name: over.partner_id === null ? null : 'Example Law',
    partner_logo_url: null,
    partner_notify_unverified: false,
    partner_case_url: null,
    partner_reply_to: null,
    partner_support_contact: null,
    partner_time_zone: null,
    ...over,
  };
}
