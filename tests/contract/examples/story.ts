import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ask, type DevFile, keyHeaders, type PartnerWithKey, signIn, succeed } from '@casewatch/driver';
import { newPartner } from '../../support/operator.ts';
import type { System } from '../../support/system.ts';
import { createRecorder, type Recorder } from './recorder.ts';

export type Row = { id: number };

type SignedIn = { id: number; as: Record<string, string> };

/** A law firm, whose clients the examples are about. */
export type Story = {
  dev: DevFile;
  dataDir: string;
  recorder: Recorder;
  firm: PartnerWithKey;
  /** A request with the firm's key. */
  byFirm: (path: string, body?: unknown) => Ask;
  /** A request of the firm that no example shows. */
  setUp: <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<T>;
  newUser: (person: object) => Promise<Row>;
  session: (email: string) => Promise<SignedIn>;
  /** The first client, signed in from the second test on. */
  client: SignedIn;
};

export const users = '/v1/client/users';

export const ana = {
  email: 'ana.silva@example.com',
  name: 'Ana Silva',
  phone: '+12025551101',
  preferred_language: 'pt',
};
export const luis = { email: 'luis.moreno@example.com', name: 'Luis Moreno', preferred_language: 'es' };
export const grace = { email: 'grace.okafor@example.com', name: 'Grace Okafor' };
export const marta = { email: 'marta.kowalska@example.com', name: 'Marta Kowalska' };
export const joao = { email: 'joao.pereira@example.com', name: 'João Pereira', preferred_language: 'pt' };
export const sofia = { email: 'sofia.herrera@example.com', name: 'Sofía Herrera', preferred_language: 'es' };

export async function beginStory({ dev: devOf, dataDir }: System): Promise<Story> {
  const dev = devOf();
  const firm = await newPartner(dataDir, 'Demo Law Firm');
  const as = keyHeaders(firm);
  const setUp = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    succeed<T>(dev, method, { as, path, body });
  return {
    dev,
    dataDir,
    recorder: createRecorder(dev),
    firm,
    byFirm: (path, body) => ({ as, path, ...(body !== undefined && { body }) }),
    setUp,
    newUser: async (person) => (await setUp<{ user: Row }>('POST', users, person)).user,
    async session(email) {
      const { access_token, user } = await signIn<Row>(dev, email);
      return { id: user.id, as: { authorization: `Bearer ${access_token}` } };
    },
    client: { id: 0, as: {} },
  };
}

/** The settings of a service of the system. */
export function settingsOf({ dataDir }: Story, service: 'identity' | 'notifier'): Record<string, string> {
  return JSON.parse(readFileSync(join(dataDir, 'dev-env.json'), 'utf8'))[service];
}
