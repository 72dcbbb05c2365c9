import { type KeyPair, withChecksum } from './api-key.ts';

/**
 * DEMO ONLY. Known to everyone who reads this file: made by `seed-demo`, which production refuses, and refused by
 * production even if they are in its database.
 */
export const demoPartners: readonly { name: string; email: string; keys: KeyPair }[] = [
  {
    name: 'Demo Law Firm',
    email: 'office@demo-law-firm.example',
    keys: {
      api_key: withChecksum('cwk_live_DEMOdemoDEMOdemoDEMOlaw1'),
      api_secret: withChecksum('cws_live_DEMOdemoDEMOdemoDEMOdemoDEMOdemoDEMOsecret1'),
    },
  },
  {
    name: 'Demo Relocation',
    email: 'office@demo-relocation.example',
    keys: {
      api_key: withChecksum('cwk_live_DEMOdemoDEMOdemoDEMOrel2'),
      api_secret: withChecksum('cws_live_DEMOdemoDEMOdemoDEMOdemoDEMOdemoDEMOsecret2'),
    },
  },
];

export function isDemoKey(apiKey: string): boolean {
  return demoPartners.some(({ keys }) => keys.api_key === apiKey);
}
