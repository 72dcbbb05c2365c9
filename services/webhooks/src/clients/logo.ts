import { type FetchLogoReply, type LogoFault, maxLogoBytes } from '@casewatch/contracts';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { typeOfPicture } from '../domain/type-of-picture.ts';
import { BlockedAddressError, type PublicAddresses } from './public-addresses.ts';

export type LogoClient = {
  /** `url` must have been judged. Never throws. */
  fetch(url: URL): Promise<FetchLogoReply>;
  stop(): Promise<void>;
};

type Times = { totalMs: number; dnsMs: number };

export const logoTimes: Times = { totalMs: 5_000, dnsMs: 1_500 };

/** Fetches pictures at judged addresses, without redirects, decompression or a proxy. */
export function createLogoClient(addresses: PublicAddresses, { totalMs, dnsMs }: Times): LogoClient {
  const connect = buildConnector({ allowH2: false, lookup: addresses.lookup, timeout: totalMs });
  const agent = new Agent({ allowH2: false, connect, pipelining: 0, maxHeaderSize: 16 * 1024 });

  async function get({ hostname, origin, pathname, search }: URL): Promise<FetchLogoReply> {
    const signal = AbortSignal.timeout(totalMs);
    await addresses.judgeHost(hostname, dnsMs);
    const headers = { accept: 'image/png, image/jpeg, image/webp', 'accept-encoding': 'identity' };
    const request = { origin, path: `${pathname}${search}`, method: 'GET' as const, headers, signal };
    const { statusCode, body } = await agent.request(request);
    const isRedirect = statusCode >= 300 && statusCode < 400;
    // An answer that is not read would keep its connection.
    if (statusCode !== 200) {
      await body.dump();
      return refused(isRedirect ? 'redirect' : 'not_reachable');
    }
    const bytes = await readPicture(body);
    if (bytes === null) return refused('too_large');
    const type = typeOfPicture(bytes);
    if (type === null) return refused('not_an_image');
    return { outcome: 'fetched', type, content: bytes.toString('base64') };
  }

  return {
    async fetch(url) {
      try {
        return await get(url);
      } catch (error) {
        return refused(error instanceof BlockedAddressError ? 'address_not_allowed' : 'not_reachable');
      }
    },
    stop: () => agent.destroy(),
  };
}

/** Null if it is too large, whatever `content-length` says. */
async function readPicture(body: Dispatcher.ResponseData['body']): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxLogoBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refused(fault: LogoFault): FetchLogoReply {
  return { outcome: 'refused', fault };
}
