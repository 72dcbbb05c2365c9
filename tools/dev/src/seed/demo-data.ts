import type { PartnerKeys } from '@casewatch/driver';
import type { Addresses } from '../addresses.ts';
import type { DataDir } from '../data-dir.ts';
import type { Say } from '../infrastructure.ts';

/** Invented people with staging receipts. The WhatsApp stand-in acts by the last four digits of a phone number. */
export const DEMO_USERS = [
  {
    email: 'emma.demo@example.com',
    name: 'Emma Example',
    phone: '+12025550143',
    preferred_language: 'en',
    receipts: ['SRC9999132710', 'SRC9999132707'],
  },
  {
    email: 'sofia.demo@example.com',
    name: 'Sofía Ejemplo',
    phone: '+12025550155',
    preferred_language: 'es',
    receipts: ['SRC9999132719'],
  },
  {
    email: 'joao.demo@example.com',
    name: 'João Exemplo',
    phone: '+12025550178',
    preferred_language: 'pt',
    receipts: ['LIN9999106506'],
  },
] as const;

export type DemoUser = (typeof DEMO_USERS)[number];

export const DEMO_HOOK = 'demo';

export interface SeedOptions {
  addresses: Addresses;
  partner: PartnerKeys;
  data: DataDir;
  /** Where to look after a failure. */
  hint: string;
  say: Say;
  signal: AbortSignal;
}
