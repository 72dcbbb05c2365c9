import { createApp } from '../http/create-app.ts';
import { type Listener, listenHttp, type Place } from '../http/listen.ts';
import { mountControl } from './control-routes.ts';
import { NO_FAULT } from './fault.ts';
import { type Catcher, listenSmtp } from './smtp.ts';

/** The mail catcher's two listeners: SMTP for mail, HTTP for looking at it. */
export interface MailCatcher {
  smtp: Listener;
  http: Listener;
}

/** Starts the mail catcher. @throws Error when a port cannot be had; then neither listener is left open */
export async function startMail(places: { smtp: Place; http: Place }): Promise<MailCatcher> {
  const catcher: Catcher = { mails: [], fault: NO_FAULT };
  const smtp = await listenSmtp(catcher, places.smtp);
  try {
    const app = createApp((routes) => mountControl(routes, catcher));
    return { smtp, http: await listenHttp(app, places.http) };
  } catch (err) {
    await smtp.close();
    throw err;
  }
}
