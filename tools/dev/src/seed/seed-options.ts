import type { PartnerKeys } from '@casewatch/driver';
import type { Addresses } from '../addresses.ts';
import type { DataDir } from '../data-dir.ts';
import type { Say } from '../infrastructure.ts';

/** What every step of the seed works with. */
export interface SeedOptions {
  addresses: Addresses;
  partner: PartnerKeys;
  data: DataDir;
  /** Where to look when it does not work. */
  hint: string;
  say: Say;
  signal: AbortSignal;
}
