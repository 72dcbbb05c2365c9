/** Where two JSON values differ, each place as one line; at most a few of each object say enough. */
export function driftOf(was: unknown, is: unknown, at = ''): string[] {
  if (isObject(was) && isObject(is)) {
    const names = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...names].flatMap((name) => driftOf(was[name], is[name], at === '' ? name : `${at}.${name}`));
  }
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  return [`${at}: recorded ${JSON.stringify(was)}, answered ${JSON.stringify(is)}`];
}

/** Arrays by their places: those that are longer on one side differ there. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
