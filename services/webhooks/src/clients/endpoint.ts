import { Agent, type Dispatcher, request } from 'undici';
import { errorClass } from './error-class.ts';
import type { PublicAddresses } from './public-addresses.ts';
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

/** One POST request. `ended` aborts it. */
export type Call = { url: string; headers: Record<string, string>; body: string; ended?: AbortSignal };

export type EndpointClient = {
  /** Never throws. */
  post(call: Call): Promise<Outcome>;
  stop(): Promise<void>;
};

export type EndpointTimes = { totalMs: number; connectMs: number; dnsMs: number };

export const endpointTimes: EndpointTimes = { totalMs: 15_000, connectMs: 5_000, dnsMs: 3_000 };

const readBytes = 64 * 1024;
const keptBytes = 16 * 1024;

/** Calls endpoints at judged addresses, without redirects, decompression or a proxy. */
export function createEndpointClient(addresses: PublicAddresses, times: EndpointTimes): EndpointClient {
  const agent = new Agent({
    allowH2: false,
    connect: { lookup: addresses.lookup, timeout: times.connectMs },
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16 * 1024,
  });

  async function send({ url, headers, body, ended }: Call) {
    const timeout = AbortSignal.timeout(times.totalMs);
    const signal = ended ? AbortSignal.any([timeout, ended]) : timeout;
    await addresses.judgeHost(new URL(url).hostname, times.dnsMs);
    const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body, signal });
    return {
      status: answer.statusCode,
      error: errorOfStatus(answer.statusCode),
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
        const noResponse = { status: null, response: null, location: null, retryAfter: null };
        return { ...noResponse, error: errorClass(error), cause: tlsCause(error), ms: ms() };
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

/** A body that ends early or never is cut: the status decides. */
async function readHead(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (length < keptBytes) chunks.push(chunk.subarray(0, keptBytes - length));
      length += chunk.length;
      if (length >= readBytes) break;
    }
  } catch {
    // Only the rest of the body is lost.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.slice(0, 2_048) ?? null;
}
