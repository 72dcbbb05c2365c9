/** interface.md §1 */
const requestIdPattern = /^[A-Za-z0-9._-]{8,64}$/;

/** A valid id of the caller is kept. */
export function callersRequestId(header: unknown): string | undefined {
  return typeof header === 'string' && requestIdPattern.test(header) ? header : undefined;
}
