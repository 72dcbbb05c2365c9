import { createApp } from '../http/create-app.ts';
import { type Listener, listenHttp, type Place } from '../http/listen.ts';
import { mountCase } from './case-route.ts';
import { mountControl } from './control-routes.ts';
import { createJournal, restoreWorld } from './journal.ts';
import type { Limits } from './limits.ts';
import { sendOverview } from './overview-page.ts';
import { type Client, mountToken } from './token-route.ts';
import { createTokens } from './tokens.ts';
import { newWorld } from './world.ts';

export interface UscisSettings {
  place: Place;
  client: Client;
  limits: Limits;
  dataDir: string | undefined;
}

/** Starts the government's Case Status API. @throws Error if the port is taken or the journal is broken */
export async function startUscis(settings: UscisSettings): Promise<Listener> {
  let current = newWorld(settings.limits);
  await restoreWorld(settings.dataDir, current);
  const world = () => current;
  const renew = () => {
    current = newWorld(settings.limits);
  };
  const tokens = createTokens();
  const journal = createJournal(settings.dataDir);
  const app = createApp((routes) => {
    mountCase(routes, { tokens, world });
    mountToken(routes, { tokens, client: settings.client, world });
    mountControl(routes, { world, renew, journal, tokens });
    routes.get('/', (_req, res) => sendOverview(res, current));
  });
  const listener = await listenHttp(app, settings.place);
  const close = async () => {
    await listener.close();
    await journal.flush();
  };
  return { url: listener.url, close };
}
