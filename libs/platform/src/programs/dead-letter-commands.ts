import { z } from 'zod';
import { type DeadLetter, type DeadLetterBox, servicesWithDeadLetters } from '../events/dead-letter-box.ts';
import { type Command, defineCommand, UsageError } from '../process/operator-commands.ts';

type Service = DeadLetter['service'];

const giveNumber = 'Give the number of a dead letter, as list shows it';

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
  options: z.strictObject({ service: serviceOf('show'), number: numberOfLetter() }),
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

function forOneOrAll(verb: 'replay' | 'discard', done: string): Command<DeadLetterBox> {
  return defineCommand({
    words: verb,
    form: ['<service> <number>', '<service> --all'],
    options: z
      .strictObject({
        service: serviceOf(verb),
        number: numberOfLetter().optional(),
        all: z.boolean().default(false),
      })
      .refine(({ number, all }) => all || number !== undefined, { path: ['number'], error: giveNumber })
      .refine(({ number, all }) => !all || number === undefined, {
        path: ['number'],
        error: 'Give either a number or --all',
      }),
    positionals: ['service', 'number'],
    async run(box: DeadLetterBox, { service, number }) {
      const letters = number === undefined ? await box.list(service) : [await find(box, service, number)];
      for (const letter of letters) await box[verb](letter);
      const count = letters.length;
      return { json: { [done]: count }, lines: [`${count} ${count === 1 ? 'event' : 'events'} ${done}`] };
    },
  });
}

function serviceOf(verb: string) {
  return z.enum(servicesWithDeadLetters, {
    error: ({ input }) =>
      input === undefined
        ? `${verb} needs the name of a service`
        : `No such service: ${String(input)}. One of: ${servicesWithDeadLetters.join(', ')}`,
  });
}

function numberOfLetter() {
  return z
    .string({ error: giveNumber })
    .regex(/^[1-9]\d{0,14}$/, { error: ({ input }) => `Not the number of a dead letter: ${String(input)}` })
    .transform(Number);
}

/** @throws UsageError where no dead letter has the number */
async function find(box: DeadLetterBox, service: Service, number: number): Promise<DeadLetter> {
  const letter = await box.find(service, number);
  if (letter) return letter;
  throw new UsageError(
    `${service} has no dead letter ${number}; see: npm run admin -- deadletters list ${service}`,
  );
}

function lineOf({ service, seq, type, kind, reason, tries, at }: DeadLetter): string {
  const count = tries === 1 ? '1 try' : `${tries} tries`;
  return `${service} ${seq}  ${at.toISOString()}  ${type}  ${kind}, ${count}: ${reason}`;
}
