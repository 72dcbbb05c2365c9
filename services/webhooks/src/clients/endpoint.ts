import { createHttpClient, type HttpAnswer } from '@casewatch/platform';
import { failureOf } from './failure.ts';
import type { PublicAddresses } from './public-addresses.ts';

export type Outcome = {
  status: number | null;
  /** Null on success; values: webhooks.md, Delivery. */
  error: string | null;
  /** What exactly happened, if the error does not say it. */
  cause?: string | null;
  ms: number;
  /** The first 16 KiB of the body. */
  response: string | null;
  location: string | null;
  retryAfter: string | null;
};

/** `webhookId`: endpoints share no connections. */
export type Call = {
  webhookId: number;
  url: string;
  headers: Record<string, string>;
  body: string;
  ended?: AbortSignal;
};

export type EndpointClient = {
  /** Never throws. */
  post(call: Call): Promise<Outcome>;
  stop(): Promise<void>;
};

/** `bodyMs`: how long the body of an answer may take after its head. */
export type EndpointTimes = { totalMs: number; connectMs: number; dnsMs: number; bodyMs?: number };

export const endpointTimes: EndpointTimes = { totalMs: 15_000, connectMs: 5_000, dnsMs: 3_000 };

const readBytes = 64 * 1_024;
const keptBytes = 16 * 1_024;
/** The status is known then: who keeps the body open must not hold the place of the next attempt. */
const bodyMs = 2_000;

/** Calls endpoints at judged addresses. The status decides; what follows it never makes a success a failure. */
export function createEndpointClient(addresses: PublicAddresses, times: EndpointTimes): EndpointClient {
  const client = createHttpClient({ lookup: addresses.lookup });

  async function send({ webhookId, url: text, headers, body }: Call, signal: AbortSignal) {
    const url = new URL(text);
    await addresses.judgeHost(url.hostname, times.dnsMs);
    const limits = { connectMs: times.connectMs, bodyMs: times.bodyMs ?? bodyMs, readBytes, keptBytes };
    const call = { url, method: 'POST' as const, headers, body, signal, owner: webhookId, resend: true };
    const answer = await client.exchange({ ...call, ...limits });
    return {
      status: answer.status,
      error: errorOfStatus(answer.status),
      location: headerOf(answer, 'location'),
      retryAfter: headerOf(answer, 'retry-after'),
      response: answer.body.toString('utf8'),
    };
  }

  return {
    async post(call) {
      const started = performance.now();
      const ms = () => Math.round(performance.now() - started);
      const over = new AbortController();
      const end = () => over.abort();
      const timer = setTimeout(end, times.totalMs);
      call.ended?.addEventListener('abort', end);
      if (call.ended?.aborted) end();
      try {
        return { ...(await send(call, over.signal)), ms: ms() };
      } catch (error) {
        const noResponse = { status: null, response: null, location: null, retryAfter: null };
        return { ...noResponse, ...failureOf(error), ms: ms() };
      } finally {
        clearTimeout(timer);
        call.ended?.removeEventListener('abort', end);
      }
    },
    async stop() {
      client.stop();
    },
  };
}

const redirects = new Set([300, 301, 302, 303, 307, 308]);

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return redirects.has(status) ? 'redirect_not_followed' : `http_${status}`;
}

function headerOf({ headers }: HttpAnswer, name: 'location' | 'retry-after'): string | null {
  return headers[name]?.slice(0, 2_048) ?? null;
}
