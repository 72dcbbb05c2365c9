import { Agent, buildConnector, type Dispatcher } from 'undici';
import { errorClass } from './error-class.ts';
import type { PublicAddresses } from './public-addresses.ts';
import { noteAnswers, noteReads, type Progress, wasClosedBefore } from './reused-connections.ts';
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

const readBytes = 64 * 1024;
const keptBytes = 16 * 1024;

/** Calls endpoints at judged addresses, without redirects, decompression or a proxy. */
export function createEndpointClient(addresses: PublicAddresses, times: EndpointTimes): EndpointClient {
  const connect = buildConnector({ allowH2: false, lookup: addresses.lookup, timeout: times.connectMs });
  const agent = new Agent({
    allowH2: false,
    connect: noteReads(connect),
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16 * 1024,
  });
  const dispatcher = agent.compose(noteAnswers);

  async function send({ url, headers, body }: Call, signal: AbortSignal) {
    const { origin, hostname, pathname, search } = new URL(url);
    await addresses.judgeHost(hostname, times.dnsMs);
    const options = { origin, path: `${pathname}${search}`, method: 'POST' as const, headers, body, signal };
    const answer = await sendOnce(dispatcher, options);
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
      // A timer of its own: AbortSignal.timeout would keep each call in memory for the whole time.
      const controller = new AbortController();
      const end = () => controller.abort();
      const timer = setTimeout(end, times.totalMs);
      call.ended?.addEventListener('abort', end);
      if (call.ended?.aborted) end();
      try {
        return { ...(await send(call, controller.signal)), ms: ms() };
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

/** Sends once more at once if the endpoint had closed a kept connection: that is no failure of the endpoint. */
async function sendOnce(dispatcher: Dispatcher, options: Dispatcher.RequestOptions) {
  const progress: Progress = { hasAnswer: false };
  try {
    return await dispatcher.request({ ...options, opaque: progress });
  } catch (error) {
    if (!wasClosedBefore(error, progress)) throw error;
    return await dispatcher.request({ ...options, opaque: progress });
  }
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
  } catch {}
  return Buffer.concat(chunks).toString('utf8');
}

function headerOf({ headers }: Pick<Dispatcher.ResponseData, 'headers'>, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.slice(0, 2_048) ?? null;
}
