/** What stands for "anything" in the guide's examples (docs/partners/README.md, "How to read the answers"). */
const anything = '…';

/** ISO 8601 with milliseconds and Z, and the format of GET under /v1/client. */
const timeFormats = [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/];

/**
 * How an answer differs from the example in the guide; empty where it does not. Values stand for themselves but for
 * the four kinds that the guide's README names: `…`, left-out fields and elements, ids, times.
 */
export function differences(expected: unknown, actual: unknown, at = '$'): string[] {
  if (Array.isArray(expected)) return inArray(expected, actual, at);
  if (isObject(expected)) return inObject(expected, actual, at);
  if (isSameValue(expected, actual, at)) return [];
  return [`${at}: the guide says ${JSON.stringify(expected)}, the answer ${JSON.stringify(actual)}`];
}

/** The same for plain text: line by line, `…` for anything within a line. */
export function textDifferences(expected: string, actual: string): string[] {
  return differences(expected.trimEnd().split('\n'), actual.trimEnd().split('\n'), 'lines');
}

function inArray(expected: unknown[], actual: unknown, at: string): string[] {
  if (!Array.isArray(actual)) return [`${at}: not an array but ${JSON.stringify(actual)}`];
  const isOpen = expected.at(-1) === anything;
  const named = isOpen ? expected.slice(0, -1) : expected;
  if (isOpen ? actual.length < named.length : actual.length !== named.length)
    return [`${at}: the guide shows ${named.length} elements, the answer is ${JSON.stringify(actual)}`];
  return named.flatMap((each, index) => differences(each, actual[index], `${at}[${index}]`));
}

function inObject(expected: Record<string, unknown>, actual: unknown, at: string): string[] {
  if (!isObject(actual)) return [`${at}: not an object but ${JSON.stringify(actual)}`];
  const named = Object.keys(expected).filter((key) => key !== anything);
  const missing = named.filter((key) => !Object.hasOwn(actual, key));
  const unnamed =
    anything in expected ? [] : Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  return [
    ...missing.map((key) => `${at}.${key}: the answer does not have it`),
    ...unnamed.map((key) => `${at}.${key}: the guide does not show it`),
    ...named
      .filter((key) => Object.hasOwn(actual, key))
      .flatMap((key) => differences(expected[key], actual[key], `${at}.${key}`)),
  ];
}

function isSameValue(expected: unknown, actual: unknown, at: string): boolean {
  if (typeof expected === 'number' && /\.(\w+_)?id$/.test(at))
    return Number.isSafeInteger(actual) && Number(actual) > 0;
  if (typeof expected !== 'string') return expected === actual;
  if (typeof actual !== 'string') return false;
  const format = timeFormats.find((each) => each.test(expected));
  if (format) return format.test(actual);
  return new RegExp(`^${expected.split(anything).map(escaped).join('.*')}$`).test(actual);
}

/** Each character with a meaning in regular expressions, taken as itself. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
