import { type KeyPair, withChecksum } from './api-key.ts';

/** DEMO ONLY: these keys are public. Production refuses `seed-demo`, and refuses the keys themselves. */
type DemoPartner = { name: string; email: string; keys: KeyPair };

/** The staff of the first demo partner. Their codes are in the mail catcher. */
export const demoStaff = [
  { name: 'Olivia Owens', email: 'owner@demo-law-firm.example', role: 'owner' },
  { name: 'Eduardo Edison', email: 'editor@demo-law-firm.example', role: 'editor' },
  { name: 'Vera Vance', email: 'viewer@demo-law-firm.example', role: 'viewer' },
] as const;

export const demoPartners: readonly [DemoPartner, DemoPartner] = [
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
