import { z } from 'zod';
import { type DeadLetter, type DeadLetterBox, servicesWithDeadLetters } from '../events/dead-letter-box.ts';
import { type Command, defineCommand, UsageError } from '../process/operator-commands.ts';

const missingNumber = 'Give the number of a dead letter. The command "list" shows the numbers';

const list = defineCommand({
  words: 'list',
  form: ['', '<service>'],
  options: z.strictObject({ service: serviceOf('list').optional() }),
  positionals: ['service'],
  async run(box: DeadLetterBox, { service }) {
    const services = service === undefined ? servicesWithDeadLetters : [service];
    const letters = (await Promise.all(services.map((name) => box.list(name)))).flat();
    return {
      json: letters.map(({ body: _, ...letter }) => letter),
      lines: letters.length === 0 ? ['no dead letters'] : letters.map(lineOf),
    };
  },
});

const show = defineCommand({
  words: 'show',
  form: '<service> <number>',
  options: z.strictObject({ service: serviceOf('show'), number: letterNumber() }),
  positionals: ['service', 'number'],
  async run(box: DeadLetterBox, { service, number }) {
    const letter = await find(box, service, number);
    return { json: letter, lines: [JSON.stringify(letter, null, 2)] };
  },
});

export const deadLetterCommands: readonly Command<DeadLetterBox>[] = [
  list,
  show,
  forOneOrAll('replay', 'replayed'),
  forOneOrAll('discard', 'discarded'),
];

function forOneOrAll(verb: 'replay' | 'discard', participle: string): Command<DeadLetterBox> {
  return defineCommand({
    words: verb,
    form: ['<service> <number>', '<service> --all'],
    options: z
      .strictObject({
        service: serviceOf(verb),
        number: letterNumber().optional(),
        all: z.boolean().default(false),
      })
      .refine(({ number, all }) => all || number !== undefined, { path: ['number'], error: missingNumber })
      .refine(({ number, all }) => !all || number === undefined, {
        path: ['number'],
        error: 'Give either a number or --all',
      }),
    positionals: ['service', 'number'],
    async run(box: DeadLetterBox, { service, number }) {
      const letters = number === undefined ? await box.list(service) : [await find(box, service, number)];
      for (const letter of letters) await box[verb](letter);
      const count = letters.length;
      const line = `${count} ${count === 1 ? 'event' : 'events'} ${participle}`;
      return { json: { [participle]: count }, lines: [line] };
    },
  });
}

function serviceOf(verb: string) {
  const names = servicesWithDeadLetters.join(', ');
  return z.enum(servicesWithDeadLetters, {
    error: ({ input }) =>
      input === undefined
        ? `${verb} needs the name of a service: ${names}`
        : `Unknown service: ${String(input)}. Use one of: ${names}`,
  });
}

function letterNumber() {
  return z
    .string({ error: missingNumber })
    .regex(/^[1-9]\d{0,14}$/, { error: ({ input }) => `Not a dead letter number: ${String(input)}` })
    .transform(Number);
}

async function find(box: DeadLetterBox, service: DeadLetter['service'], number: number): Promise<DeadLetter> {
  const letter = await box.find(service, number);
  if (letter) return letter;
  throw new UsageError(
    `${service} has no dead letter ${number}. Run: npm run admin -- deadletters list ${service}`,
  );
}

function lineOf({ service, seq, type, kind, reason, tries, at }: DeadLetter): string {
  const count = tries === 1 ? '1 try' : `${tries} tries`;
  return `${service} ${seq}  ${at.toISOString()}  ${type}  ${kind}, ${count}: ${reason}`;
}
