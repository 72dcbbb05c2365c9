import { consumersOf, type ServiceName, serviceNames } from '@casewatch/contracts';
import { z } from 'zod';
import type { DeadLetter, DeadLetterBox } from '../events/dead-letters.ts';
import { type CountedRow, mostDeadBytes } from '../events/failed-events.ts';
import { type Command, defineCommand, RefusedError, UsageError } from '../process/operator-commands.ts';

const missingNumber = 'Give the number of a dead letter. The command "list" shows the numbers';

const servicesWithDeadLetters = serviceNames.filter((service) => consumersOf(service).length > 0);

const list = defineCommand({
  words: 'list',
  form: ['', '<service>'],
  options: z.strictObject({ service: serviceOf('list').optional() }),
  positionals: ['service'],
  async run(box: DeadLetterBox, { service = box.service }) {
    const own = boxOf(box, service);
    const [letters, beyond] = await Promise.all([own.list(), own.beyond()]);
    const lines = [...letters.map(lineOf), ...beyond.map((counted) => beyondLine(service, counted))];
    return {
      json: [...letters, ...beyond.map((counted) => ({ service, ...withoutState(counted) }))],
      lines: lines.length === 0 ? ['no dead letters'] : lines,
    };
  },
});

const show = defineCommand({
  words: 'show',
  form: '<service> <number>',
  options: z.strictObject({ service: serviceOf('show'), number: letterNumber() }),
  positionals: ['service', 'number'],
  async run(box: DeadLetterBox, { service, number }) {
    const letter = await find(boxOf(box, service), number);
    return { json: letter, lines: [JSON.stringify(letter, null, 2)] };
  },
});

/** Commands on the database of one service. */
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
      const own = boxOf(box, service);
      const letter = number === undefined ? null : await find(own, number);
      const count = await own[verb](number);
      if (letter && count === 0) throw new RefusedError(cannotReplay(letter));
      const line = `${count} ${count === 1 ? 'event' : 'events'} ${participle}`;
      const cut = verb === 'replay' && number === undefined ? (await own.list()).filter(isCut) : [];
      return { json: { [participle]: count }, lines: [line, ...cut.map(cannotReplay)] };
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

/** No program reads the databases of two services. */
function boxOf(box: DeadLetterBox, service: ServiceName): DeadLetterBox {
  if (box.service === service) return box;
  throw new UsageError(
    `MONGODB_URL names the database of ${box.service}. Run the command with the settings of ${service}.`,
  );
}

function letterNumber() {
  return z
    .string({ error: missingNumber })
    .regex(/^[1-9]\d{0,14}$/, { error: ({ input }) => `Not a dead letter number: ${String(input)}` })
    .transform(Number);
}

async function find(box: DeadLetterBox, number: number): Promise<DeadLetter & { body: string }> {
  const letter = await box.find(number);
  if (letter) return letter;
  throw new UsageError(
    `${box.service} has no dead letter ${number}. Run: npm run admin -- deadletters list ${box.service}`,
  );
}

function isCut({ bytes }: DeadLetter): boolean {
  return bytes > mostDeadBytes;
}

function cannotReplay({ service, seq, bytes, type }: DeadLetter): string {
  const reason = `Its body has ${bytes} bytes, and only the first 64 KiB are kept.`;
  return `${service} ${seq} (${type}) was not replayed. ${reason} Have its sender publish it again: npm run admin -- republish`;
}

function lineOf({ service, seq, type, kind, reason, tries, at }: DeadLetter): string {
  const count = tries === 1 ? '1 try' : `${tries} tries`;
  return `${service} ${seq}  ${at.toISOString()}  ${type}  ${kind}, ${count}: ${reason}`;
}

function beyondLine(service: ServiceName, { type, count, first, last }: CountedRow): string {
  const places = `${first.stream} ${first.seq} (${first.at.toISOString()}) to ${last.seq} (${last.at.toISOString()})`;
  return `${service}: ${count} more of ${type}, without their bodies: ${places}. Have their sender publish them again: npm run admin -- republish`;
}

function withoutState({ type, count, first, last }: CountedRow) {
  return { type, count, first, last };
}
