import type { PartnerKeys } from '@casewatch/driver';
import type { Addresses } from '../addresses.ts';
import type { DataDir } from '../data-dir.ts';
import type { Say } from '../infrastructure.ts';

export interface SeedOptions {
  addresses: Addresses;
  partner: PartnerKeys;
  data: DataDir;
  /** Where to look after a failure. */
  hint: string;
  say: Say;
  signal: AbortSignal;
}
