import type { z } from 'zod';

/** Of a field that is not there. */
export const requiredText = 'is required';

/**
 * What is wrong with a value, for people: it continues the name of its field, as in `name must not be empty`. Schemas that say it
 * themselves are not asked. To give to `safeParse` wherever a person or a program reads the faults.
 */
export const faultTexts: z.core.$ZodErrorMap = (issue) => textOf(issue);

/** As `faultTexts`, for a query or a form, where a list is a name that was sent several times. */
export const textFaultTexts: z.core.$ZodErrorMap = (issue) => {
  const wantsOne = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  return wantsOne && Array.isArray(issue.input) ? 'is given more than once' : textOf(issue);
};

function textOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return requiredText;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return valuesText(issue.values.map(String));
    case 'too_small':
      return limitText(issue.origin, issue.minimum, issue.exact ? 'exactly' : 'at least');
    case 'too_big':
      return limitText(issue.origin, issue.maximum, issue.exact ? 'exactly' : 'at most');
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an e-mail address' : 'does not have the expected form';
    case 'invalid_union':
      return unionText(issue.errors);
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not allowed as a name';
    case 'unrecognized_keys':
      return 'is not accepted here';
    default:
      return 'is invalid';
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  date: 'a time such as 2026-11-23T10:00:00Z',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function kindOf(expected: string): string {
  return kinds[expected] ?? expected;
}

function valuesText(values: readonly string[]): string {
  return values.length > 2 ? `must be one of ${values.join(', ')}` : `must be ${values.join(' or ')}`;
}

function limitText(
  origin: string,
  limit: number | bigint,
  bound: 'at least' | 'at most' | 'exactly',
): string {
  if (origin !== 'string' && origin !== 'array') return `must be ${bound} ${limit}`;
  if (limit === 1 && bound === 'at least') return 'must not be empty';
  const unit = origin === 'string' ? 'character' : 'entry';
  const units = origin === 'string' ? 'characters' : 'entries';
  return `must have ${bound} ${limit} ${limit === 1 ? unit : units}`;
}

/** A value of one of the kinds has the fault of that kind; another value is told all kinds. */
function unionText(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const firsts = errors.flatMap(([first]) => (first === undefined ? [] : [first]));
  const inside = firsts.find(({ code }) => code !== 'invalid_type');
  if (inside !== undefined) return inside.path.length === 0 ? inside.message : 'is invalid';
  const names = firsts.map((issue) => (issue.code === 'invalid_type' ? kindOf(issue.expected) : ''));
  if (names.length === 0) return 'is invalid';
  return `must be ${[...names.slice(0, -1), `or ${names.at(-1)}`].join(', ')}`;
}
