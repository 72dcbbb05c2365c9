/**
 * What a failure is called: its `code`, else that of its cause; where several addresses were tried, the first speaks
 * for all. Told by shape: errors of Node's own come from another realm in tests.
 */
export function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return failureCode(error.errors[0]);
  return 'cause' in error ? failureCode(error.cause) : '';
}

/** An error's `name`, e.g. `TimeoutError`; empty for what is no error. */
export function failureName(error: unknown): string {
  const isNamed = typeof error === 'object' && error !== null && 'name' in error;
  return isNamed && typeof error.name === 'string' ? error.name : '';
}
