import type { IncomingMessage } from 'node:http';
import type { LimitPolicy, Principal } from '@casewatch/contracts';
import { idsOf, type Logger, logSecurity } from '@casewatch/platform';

export type RefusedCaller = {
  /** As in `CallerConcurrency`. */
  readonly caller: string;
  readonly policy: LimitPolicy;
  readonly id: string;
  readonly principal: Principal;
};

/** `repeats`: refusals since, for the log. */
type Refused = RefusedCaller & { repeats: number };

export type RecentRefusals = {
  remember(req: IncomingMessage, caller: RefusedCaller): void;
  /** The caller of a request with the same credentials and address. */
  find(req: IncomingMessage): Refused | undefined;
};

/** Time until credentials are checked again, ms. It bounds the memory, too. */
const rememberedForMs = 1_000;
/** Longer credentials are not remembered. */
const maxKeyLength = 2_048;

/**
 * Authenticated callers over a limit, by the headers that they sent. Under overload most requests are of such callers,
 * and authenticating each of them takes the time of requests that could be answered (docs/adr/0052).
 */
export function createRecentRefusals(log: Logger): RecentRefusals {
  const entries = new Map<string, Refused>();

  function forget(key: string, { principal, repeats }: Refused): void {
    entries.delete(key);
    if (repeats === 0) return;
    logSecurity(log, {
      event: 'access',
      outcome: 'limited',
      problem: 'rate_limited',
      repeats,
      ...idsOf(principal),
    });
  }

  return {
    remember(req, caller) {
      const key = keyOf(req);
      if (key.length > maxKeyLength || entries.has(key)) return;
      const entry = { ...caller, repeats: 0 };
      entries.set(key, entry);
      setTimeout(forget, rememberedForMs, key, entry).unref();
    },
    find: (req) => (entries.size === 0 ? undefined : entries.get(keyOf(req))),
  };
}

/** All that decides who the caller is: a key can be limited to some addresses. */
function keyOf({ headers, socket }: IncomingMessage): string {
  const { authorization = '', 'x-api-key': key = '', 'x-api-secret': secret = '' } = headers;
  return `${key}\n${secret}\n${authorization}\n${socket.remoteAddress}\n${headers['x-forwarded-for'] ?? ''}`;
}
