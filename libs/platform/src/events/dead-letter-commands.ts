import { parseArgs } from 'node:util';
import type { ServiceName } from '@casewatch/contracts';
import { type DeadLetter, type DeadLetterBox, servicesWithDeadLetters } from './dead-letter-box.ts';

/** A command that is not understood: the message says the right forms. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const forms = [
  'deadletters list [<service>] [--json]',
  'deadletters show <service> <number>',
  'deadletters replay <service> <number>|--all',
  'deadletters discard <service> <number>|--all',
].map((form) => `  npm run admin -- ${form}`);

/**
 * Runs one command and returns what it prints.
 * @throws UsageError where the words are not understood, or no dead letter has the number; nothing is changed then
 */
export async function runDeadLetterCommand(box: DeadLetterBox, words: readonly string[]): Promise<string[]> {
  const { verb, service, number, isAll, isJson } = parse(words);
  if (verb === 'list')
    return await list(box, service === undefined ? servicesWithDeadLetters : [service], isJson);
  if (service === undefined) throw usage(`${verb} needs the name of a service`);
  if (verb === 'show') return [JSON.stringify(await found(box, service, number), null, 2)];
  const letters = isAll ? await box.list(service) : [await found(box, service, number)];
  for (const letter of letters) await box[verb](letter);
  return [
    `${letters.length} ${letters.length === 1 ? 'event' : 'events'} ${verb === 'replay' ? 'replayed' : 'discarded'}`,
  ];
}

async function list(
  box: DeadLetterBox,
  services: readonly ServiceName[],
  isJson: boolean,
): Promise<string[]> {
  const letters = (await Promise.all(services.map((service) => box.list(service)))).flat();
  if (isJson) return [JSON.stringify(letters.map(({ body: _, ...letter }) => letter))];
  if (letters.length === 0) return ['no dead letters'];
  return letters.map(lineOf);
}

function lineOf({ service, seq, type, kind, reason, tries, at }: DeadLetter): string {
  const count = tries === 1 ? '1 try' : `${tries} tries`;
  return `${service} ${seq}  ${at.toISOString()}  ${type}  ${kind}, ${count}: ${reason}`;
}

async function found(
  box: DeadLetterBox,
  service: ServiceName,
  number: number | undefined,
): Promise<DeadLetter> {
  if (number === undefined) throw usage('Give the number of a dead letter, as list shows it');
  const letter = await box.find(service, number);
  if (!letter)
    throw new UsageError(
      `${service} has no dead letter ${number}; see: npm run admin -- deadletters list ${service}`,
    );
  return letter;
}

const verbs = ['list', 'show', 'replay', 'discard'] as const;

function parse(words: readonly string[]) {
  const { values, positionals } = read(words[0] === 'deadletters' ? words.slice(1) : words);
  const [word, name, text, ...rest] = positionals;
  const verb = verbs.find((known) => known === word);
  if (!verb || rest.length > 0) throw usage('Say what to do with which dead letter');
  const service = servicesWithDeadLetters.find((known) => known === name);
  if (name !== undefined && !service)
    throw usage(`No such service: ${name}. One of: ${servicesWithDeadLetters.join(', ')}`);
  if (text !== undefined && !/^[1-9]\d{0,14}$/.test(text))
    throw usage(`Not the number of a dead letter: ${text}`);
  if (values.all && text !== undefined) throw usage('Give either a number or --all');
  return {
    verb,
    service,
    number: text === undefined ? undefined : Number(text),
    isAll: values.all,
    isJson: values.json,
  };
}

function read(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args: [...args], options: { all: flag, json: flag }, allowPositionals: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : 'not understood');
  }
}

function usage(why: string): UsageError {
  return new UsageError(`${why}.\nThe right forms are:\n${forms.join('\n')}`);
}
