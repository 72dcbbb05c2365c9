import { hash } from 'node:crypto';
import type { ConsoleSessionReply } from '@casewatch/contracts';
import { ApiError, type Bus, type Clock } from '@casewatch/platform';
import type { CredentialCache } from './credential-cache.ts';
import type { Revocations } from './revocations.ts';

export type ConsoleLink = {
  readonly partner_name: string;
  readonly actor: string;
  readonly read_only: boolean;
};

/** As in the request to identity. */
const maxTokenLength = 256;

export type ConsoleSessions = {
  /** Whose console the link opens; it stays unused. @throws ApiError console_link_invalid */
  look(linkToken: string): Promise<ConsoleLink>;
  /** @throws ApiError console_link_invalid … */
  open(linkToken: string): Promise<ConsoleSessionReply>;
  /** A session whose token is due gets a new token. @throws ApiError console_session_ended … */
  verify(token: string, beforeAsking: () => void): Promise<ConsoleSessionReply>;
  end(token: string): Promise<void>;
};

type Options = {
  bus: Bus;
  clock: Clock;
  cache: CredentialCache<ConsoleSessionReply>;
  revocations: Revocations;
};

export function createConsoleSessions({ bus, clock, cache, revocations }: Options): ConsoleSessions {
  async function find(token: string, beforeAsking: () => void): Promise<ConsoleSessionReply> {
    return await cache.get(hash('sha256', token, 'base64url'), beforeAsking, async () => {
      const session = await bus.request('identity.console_session', { token });
      const { partner_id, key_id } = session.principal;
      return {
        value: session,
        goodUntil: Date.parse(session.expires_at),
        revokedBy: [
          { kind: 'session', id: session.session_id },
          { kind: 'key', id: key_id },
          { kind: 'partner', id: String(partner_id) },
        ],
      };
    });
  }

  return {
    async look(link_token) {
      if (link_token === '' || link_token.length > maxTokenLength) throw new ApiError('console_link_invalid');
      const { link } = await bus.request('identity.console_link', { link_token });
      if (link === null) throw new ApiError('console_link_invalid');
      return link;
    },
    open: async (link_token) => await bus.request('identity.open_console', { link_token }),
    async verify(token, beforeAsking) {
      await revocations.ensureCurrent();
      const session = await find(token, beforeAsking);
      if (Date.parse(session.renew_at) > clock.now().getTime()) return session;
      return await bus.request('identity.renew_console', { token });
    },
    async end(token) {
      await bus.request('identity.end_console', { token });
    },
  };
}
