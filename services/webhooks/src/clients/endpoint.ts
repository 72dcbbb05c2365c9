import { Agent, buildConnector } from 'undici';
import { errorClass } from './error-class.ts';
import { type Answer, Exchange } from './exchange.ts';
import type { PublicAddresses } from './public-addresses.ts';
import { noteReads } from './reused-connections.ts';
import { tlsCause } from './tls-cause.ts';

export type Outcome = {
  status: number | null;
  /** Null on success; values: webhooks.md, Delivery. */
  error: string | null;
  /** Details of a TLS error. */
  cause?: string | null;
  ms: number;
  /** The first 16 KiB of the body. */
  response: string | null;
  location: string | null;
  retryAfter: string | null;
};

export type Call = { url: string; headers: Record<string, string>; body: string; ended?: AbortSignal };

export type EndpointClient = {
  /** Never throws. */
  post(call: Call): Promise<Outcome>;
  stop(): Promise<void>;
};

export type EndpointTimes = { totalMs: number; connectMs: number; dnsMs: number };

export const endpointTimes: EndpointTimes = { totalMs: 15_000, connectMs: 5_000, dnsMs: 3_000 };

/** Calls endpoints at judged addresses, without redirects, decompression or a proxy. */
export function createEndpointClient(addresses: PublicAddresses, times: EndpointTimes): EndpointClient {
  const connect = buildConnector({ allowH2: false, lookup: addresses.lookup, timeout: times.connectMs });
  const agent = new Agent({
    allowH2: false,
    connect: noteReads(connect),
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16 * 1024,
  });

  async function send(exchange: Exchange, { url, headers, body }: Call) {
    const { origin, hostname, pathname, search } = new URL(url);
    await addresses.judgeHost(hostname, times.dnsMs);
    const answer = await exchange.send({
      origin,
      path: `${pathname}${search}`,
      method: 'POST',
      headers,
      body,
    });
    return {
      status: answer.status,
      error: errorOfStatus(answer.status),
      location: headerOf(answer, 'location'),
      retryAfter: headerOf(answer, 'retry-after'),
      response: answer.body,
    };
  }

  return {
    async post(call) {
      const started = performance.now();
      const ms = () => Math.round(performance.now() - started);
      const exchange = new Exchange(agent);
      const end = () => exchange.end(new DOMException('the attempt was ended', 'AbortError'));
      const timer = setTimeout(end, times.totalMs);
      call.ended?.addEventListener('abort', end);
      if (call.ended?.aborted) end();
      try {
        return { ...(await send(exchange, call)), ms: ms() };
      } catch (error) {
        const noResponse = { status: null, response: null, location: null, retryAfter: null };
        return { ...noResponse, error: errorClass(error), cause: tlsCause(error), ms: ms() };
      } finally {
        clearTimeout(timer);
        call.ended?.removeEventListener('abort', end);
      }
    },
    async stop() {
      await agent.destroy();
    },
  };
}

const redirects = new Set([300, 301, 302, 303, 307, 308]);

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return redirects.has(status) ? 'redirect_not_followed' : `http_${status}`;
}

function headerOf({ headers }: Answer, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.slice(0, 2_048) ?? null;
}
