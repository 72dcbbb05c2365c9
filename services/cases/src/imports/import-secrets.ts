import { createMac, createSecretBox, type KeyRing } from '@casewatch/platform';
import type { Cells } from './columns.ts';
import type { unreadLine } from './read-file.ts';

/** A row as it waits: its cells, and the whole of one that could not be read. */
export type KeptRow = Cells & { [unreadLine]?: string };

/** Keeps the cells of rows encrypted until they are imported. */
export type ImportSecrets = {
  seal(row: KeptRow, rowId: string): string;
  /** @throws Error if the key has left the ring */
  open(payload: string, rowId: string): KeptRow;
  /** The same text for the same address; nobody without the key learns the address from it. */
  personOf(email: string): string;
};

export function createImportSecrets(ring: KeyRing): ImportSecrets {
  const box = createSecretBox(ring, 'import rows');
  const mac = createMac(ring, 'import people');
  return {
    seal: (row, rowId) => box.seal(JSON.stringify(row), rowId),
    open: (payload, rowId) => JSON.parse(box.open(payload, rowId)) as KeptRow,
    personOf: (email) => mac.sign(email.trim().toLowerCase()).toString('base64url'),
  };
}
