import { createApp } from '../http/create-app.ts';
import { type Listener, listenHttp, type Place } from '../http/listen.ts';
import type { Account } from './account.ts';
import { mountContents } from './contents.ts';
import { mountControl } from './control-routes.ts';
import { type Exchange, mountCreate, refuseByFault } from './create-route.ts';
import { NO_FAULT } from './fault.ts';
import { sendOverview } from './overview-page.ts';
import { mountRead } from './read-routes.ts';

/** Starts the Twilio emulator for one account. @throws Error when the port cannot be had */
export async function startTwilio(settings: { place: Place; account: Account }): Promise<Listener> {
  const { account, place } = settings;
  const stop = new AbortController();
  const courier = { accountSid: account.sid, authToken: account.authToken, stopped: stop.signal };
  const exchange: Exchange = { messages: [], fault: NO_FAULT, contents: {}, wroteAt: new Map() };
  const app = createApp((routes) => {
    mountCreate(routes, { account, courier, exchange });
    routes.use(['/2010-04-01', '/v1'], (_req, res, next) => {
      const { fault } = exchange;
      if (fault.reading !== true || !refuseByFault(res, fault)) next();
    });
    mountRead(routes, { account, messages: () => exchange.messages });
    mountContents(routes, { account, contents: () => exchange.contents });
    mountControl(routes, exchange, courier);
    routes.get('/', (_req, res) => sendOverview(res, exchange));
  });
  const listener = await listenHttp(app, place);
  const close = async () => {
    stop.abort();
    await listener.close();
  };
  return { url: listener.url, close };
}
