import { createApp } from '../http/create-app.ts';
import { type Listener, listenHttp, type Place } from '../http/listen.ts';
import { mountCase } from './case-route.ts';
import { mountControl } from './control-routes.ts';
import { createKeeper, recallWorld } from './keeper.ts';
import type { Limits } from './limits.ts';
import { sendOverview } from './overview-page.ts';
import { type Client, mountToken } from './token-route.ts';
import { createTokens } from './tokens.ts';
import { newWorld } from './world.ts';

/** Settings of the government stand-in; `limits` are those it has as new. */
export interface UscisSettings {
  place: Place;
  client: Client;
  limits: Limits;
  dataDir: string | undefined;
}

/** Starts the government's Case Status API as far as it is publicly known. @throws Error when the port or the kept data cannot be had */
export async function startUscis(settings: UscisSettings): Promise<Listener> {
  let current = newWorld(settings.limits);
  await recallWorld(settings.dataDir, current);
  const world = () => current;
  const renew = () => {
    current = newWorld(settings.limits);
  };
  const tokens = createTokens();
  const keeper = createKeeper(settings.dataDir);
  const app = createApp((routes) => {
    mountCase(routes, { tokens, world });
    mountToken(routes, { tokens, client: settings.client, world });
    mountControl(routes, { world, renew, keeper, tokens });
    routes.get('/', (_req, res) => sendOverview(res, current));
  });
  const listener = await listenHttp(app, settings.place);
  const close = async () => {
    await listener.close();
    await keeper.flush();
  };
  return { url: listener.url, close };
}
