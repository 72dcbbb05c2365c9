import { createHash } from 'node:crypto';

const names = [
  ['Ana Silva', 'pt'],
  ['Luis Moreno', 'es'],
  ['Grace Okafor', 'en'],
  ['Marta Kowalska', 'en'],
  ['João Pereira', 'pt'],
  ['Sofía Herrera', 'es'],
] as const;

/**
 * Invented people and receipt numbers of one operation's examples, the same in each run whatever other operations show.
 * The last four digits of a phone decide how the stand-in treats it: these deliver.
 */
export function newPeople(operation: string) {
  const domain = `${operation.replaceAll('_', '-')}.example.com`;
  const digits = Number.parseInt(createHash('sha256').update(operation).digest('hex').slice(0, 8), 16);
  const block = String(digits % 10_000).padStart(4, '0');
  let people = 0;
  let receipts = 0;
  return {
    nextPerson() {
      const [name, language] = names[people % names.length] ?? names[0];
      people += 1;
      // Letters without their marks: é is e and a mark of its own once decomposed.
      const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '');
      return {
        email: `${plain.toLowerCase().replace(' ', '.')}${people > names.length ? people : ''}@${domain}`,
        name,
        phone: `+1202555${String(1_100 + people).padStart(4, '0')}`,
        preferred_language: language,
      };
    },
    /** The next receipt number, of which the government knows nothing yet. */
    unknownReceipt(): string {
      receipts += 1;
      return `EAC99${block}${String(receipts).padStart(4, '0')}`;
    },
  };
}
