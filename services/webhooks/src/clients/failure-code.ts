/** `code` of an error, of the first of its `errors`, or of its cause. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return failureCode(error.errors[0]);
  return 'cause' in error ? failureCode(error.cause) : '';
}

export function failureName(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
