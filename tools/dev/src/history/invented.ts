import { knownStatuses } from '@casewatch/contracts';
import { newReceipt } from '@casewatch/driver';

const firstNames = ['Ana', 'Luis', 'Mei', 'Amara', 'João', 'Sofía', 'Omar', 'Priya', 'Elena', 'Kofi'];
const lastNames = ['Silva', 'Moreno', 'Chen', 'Okafor'];
const languages = ['en', 'es', 'en', 'pt'] as const;
/** The WhatsApp stand-in acts by the last four digits: refused, hangs, delivered late, read, unreachable (tools/sandbox). */
const phoneEnds = ['0143', '0001', '0155', '0007', '0008'];

export const people = Array.from({ length: 40 }, (_, index) => personOf(index));

function personOf(index: number) {
  const [first = '', last = ''] = [firstNames[index % 10], lastNames[Math.floor(index / 10)]];
  const area = String(200 + index);
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}.${Date.now().toString(36)}@example.com`
      .normalize('NFD')
      .replaceAll(/[^\w.@-]/g, ''),
    phone: `+1202${area}${phoneEnds[index % phoneEnds.length]}`,
    preferred_language: languages[index % languages.length] ?? 'en',
    notify_by_email: index % 9 !== 8,
    notify_by_whatsapp: index % 3 === 0,
  };
}

const kinds = [
  { form: 'I-130', description: 'Petition for the spouse' },
  { form: 'I-485', description: 'Green card' },
  { form: 'I-765', description: 'Work permit' },
  { form: 'N-400', description: 'Citizenship' },
  { form: 'I-131', description: 'Travel document' },
] as const;

export function caseOf(index: number) {
  return { receipt: newReceipt(), ...(kinds[index % kinds.length] ?? kinds[0]) };
}

/** One status of each category, in turn. */
export const laterStatuses: readonly string[] = [
  ...new Map(knownStatuses().map(({ category, en }) => [category, en])).values(),
].filter((title) => title !== 'Case Was Received');
