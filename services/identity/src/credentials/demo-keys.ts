import { type KeyPair, withChecksum } from './api-key.ts';

/** DEMO ONLY: these keys are public. Production refuses `seed-demo`, and refuses the keys themselves. */
type DemoPartner = { name: string; email: string; keys: KeyPair };

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
