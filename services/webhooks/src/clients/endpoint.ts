import { Agent, type Dispatcher, request } from 'undici';
import { type Answer, judgeStatus } from '../domain/judge-answer.ts';
import { errorClass } from './error-class.ts';
import type { PublicAddresses } from './public-addresses.ts';

/** What came of one call of an endpoint; `error` is one of the closed list, null on success. */
export type Outcome = Answer & {
  ms: number;
  /** The first 16 KiB of the answer, as text; null without one. */
  response: string | null;
  /** Where a redirect pointed to. */
  location: string | null;
  retryAfter: string | null;
};

/** One POST; broken off where `ended` aborts. */
export type Call = { url: string; headers: Record<string, string>; body: string; ended?: AbortSignal };

export type EndpointClient = {
  /** A failure is an outcome, never thrown. */
  post(call: Call): Promise<Outcome>;
  stop(): Promise<void>;
};

/** Longest waits, ms (webhooks.md, Delivery). */
export type EndpointTimes = { totalMs: number; connectMs: number; dnsMs: number };

export const endpointTimes: EndpointTimes = { totalMs: 15_000, connectMs: 5_000, dnsMs: 3_000 };

const readBytes = 64 * 1024;
const keptBytes = 16 * 1024;

/** Calls partners' endpoints, only at addresses that were judged, without redirects, decompression or a proxy. */
export function createEndpointClient(addresses: PublicAddresses, times: EndpointTimes): EndpointClient {
  const agent = new Agent({
    allowH2: false,
    connect: { lookup: addresses.lookup, timeout: times.connectMs },
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16 * 1024,
  });

  async function send({ url, headers, body, ended }: Call) {
    const late = AbortSignal.timeout(times.totalMs);
    const signal = ended ? AbortSignal.any([late, ended]) : late;
    await addresses.judge(new URL(url).hostname, times.dnsMs);
    const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body, signal });
    return {
      ...judgeStatus(answer.statusCode),
      location: headerOf(answer, 'location'),
      retryAfter: headerOf(answer, 'retry-after'),
      response: await readHead(answer.body),
    };
  }

  return {
    async post(call) {
      const started = performance.now();
      const ms = () => Math.round(performance.now() - started);
      try {
        return { ...(await send(call)), ms: ms() };
      } catch (error) {
        const nothing = { status: null, response: null, location: null, retryAfter: null };
        return { ...nothing, error: errorClass(error), ms: ms() };
      }
    },
    async stop() {
      await agent.destroy();
    },
  };
}

/** The status has decided; an answer that breaks off, drips or never ends only loses its rest. */
async function readHead(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (length < keptBytes) kept.push(chunk.subarray(0, keptBytes - length));
      length += chunk.length;
      if (length >= readBytes) break;
    }
  } catch {
    // Breaking off is the endpoint's affair, and no attempt's failure.
  }
  return Buffer.concat(kept).toString('utf8');
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.slice(0, 2_048) ?? null;
}
