/** A row changed since it was read: its transaction ends. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** @throws ConflictError */
export function confirm(isWritten: boolean, row: string): void {
  if (!isWritten) throw new ConflictError(row);
}
