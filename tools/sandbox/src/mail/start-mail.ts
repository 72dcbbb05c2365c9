import { createApp } from '../http/create-app.ts';
import { type Listener, listenHttp, type Place } from '../http/listen.ts';
import { mountControl } from './control-routes.ts';
import { NO_FAULT } from './fault.ts';
import { createReportKeys, type ReportKeys } from './reports.ts';
import { type Catcher, listenSmtp, type SmtpAccess } from './smtp.ts';

type Both<T> = { smtp: T; http: T };

/** Starts the mail catcher. @throws Error if a port is taken; then neither listener stays open */
export async function startMail(
  places: Both<Place>,
  access: SmtpAccess,
  resendSecret?: string,
): Promise<Both<Listener> & { keys: ReportKeys }> {
  const catcher: Catcher = { mails: [], receiving: new Set(), fault: NO_FAULT };
  const smtp = await listenSmtp(catcher, places.smtp, access);
  const keys = createReportKeys(resendSecret);
  try {
    const app = createApp((routes) => mountControl(routes, catcher, keys));
    return { smtp, keys, http: await listenHttp(app, places.http) };
  } catch (err) {
    await smtp.close();
    throw err;
  }
}
