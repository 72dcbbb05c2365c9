import { type FetchLogoReply, type LogoFault, maxLogoBytes } from '@casewatch/contracts';
import { createHttpClient, ExchangeError } from '@casewatch/platform';
import { typeOfPicture } from '../domain/type-of-picture.ts';
import { BlockedAddressError, NameError, type PublicAddresses } from './public-addresses.ts';

export type LogoClient = {
  /** `url` must have been judged. Never throws. */
  fetch(url: URL): Promise<FetchLogoReply>;
  stop(): Promise<void>;
};

type Times = { totalMs: number; dnsMs: number };

export const logoTimes: Times = { totalMs: 5_000, dnsMs: 1_500 };

/** Fetches pictures at judged addresses. */
export function createLogoClient(addresses: PublicAddresses, { totalMs, dnsMs }: Times): LogoClient {
  const client = createHttpClient({ lookup: addresses.lookup });

  async function get(url: URL): Promise<FetchLogoReply> {
    const signal = AbortSignal.timeout(totalMs);
    await addresses.judgeHost(url.hostname, dnsMs);
    const { status, body, isWhole } = await client.exchange({
      url,
      method: 'GET',
      // One picture needs no connection for another.
      headers: {
        accept: 'image/png, image/jpeg, image/webp',
        'accept-encoding': 'identity',
        connection: 'close',
      },
      signal,
      connectMs: totalMs,
      readBytes: maxLogoBytes,
    });
    if (status !== 200) return refused(status >= 300 && status < 400 ? 'redirect' : 'not_reachable');
    // Whatever `content-length` says.
    if (body.length > maxLogoBytes) return refused('too_large');
    if (!isWhole) return refused('not_reachable');
    const type = typeOfPicture(body);
    if (type === null) return refused('not_an_image');
    return { outcome: 'fetched', type, content: body.toString('base64') };
  }

  return {
    async fetch(url) {
      try {
        return await get(url);
      } catch (error) {
        return refused(isOfName(error) ? 'address_not_allowed' : 'not_reachable');
      }
    },
    async stop() {
      client.stop();
    },
  };
}

/** One fault for a name without an address and one with a private address, so that callers learn nothing about internal names. */
function isOfName(error: unknown): boolean {
  if (error instanceof ExchangeError) return isOfName(error.cause);
  return error instanceof BlockedAddressError || error instanceof NameError;
}

function refused(fault: LogoFault): FetchLogoReply {
  return { outcome: 'refused', fault };
}
