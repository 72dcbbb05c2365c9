/** `code` of an error, of the first of its `errors`, or of its cause. Without `instanceof`: realms differ in tests. */
export function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return failureCode(error.errors[0]);
  return 'cause' in error ? failureCode(error.cause) : '';
}

export function failureName(error: unknown): string {
  const isNamed = typeof error === 'object' && error !== null && 'name' in error;
  return isNamed && typeof error.name === 'string' ? error.name : '';
}
