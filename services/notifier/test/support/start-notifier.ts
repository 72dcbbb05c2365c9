import type {
  CaseReply,
  Channel,
  EventData,
  FirmReply,
  NotificationUpdated,
  Person,
} from '@casewatch/contracts';
import { ApiError, type Clock, readConfig, start, systemClock } from '@casewatch/platform';
import type { Connection } from '@casewatch/platform/database';
import { type SandboxOptions, startSandbox } from '@casewatch/sandbox';
import {
  connectDatabase,
  type Sibling,
  servePeople,
  startMongo,
  startNats,
  startSibling,
  waitFor,
} from '@casewatch/testing';
import { notifierConfig } from '../../src/config.ts';
import { notifier } from '../../src/service.ts';
import { aCaseReply } from './firm.ts';
import { openFrontDoor } from './front-door.ts';
import { environment, gatewayKey } from './settings.ts';
import { openSlowLink } from './slow-link.ts';

export type CaughtMail = {
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
};
export type CaughtMessage = {
  sid: string;
  to: string;
  body: string;
  status: string;
  content_sid: string;
  content_variables: Record<string, string>;
  status_callback: string;
  callbacks: { status: string; response_status: number | null }[];
};

/** As `POST /sandbox/reports` of the mail catcher takes it. */
type MailReport = {
  provider: 'sendgrid' | 'resend';
  event?: string;
  body?: string;
  to: string;
  age_s?: number;
  forged?: boolean;
};

/** The call that a stand-in made, and the status of our answer. */
type Reported = { response_status: number; body: string; headers: Record<string, string> };

/** The real notifier between real siblings' ends of the bus and the real protocols of the stand-ins. */
export type TestNotifier = Awaited<ReturnType<typeof startTestNotifier>>;

type Options = {
  sandbox?: SandboxOptions;
  /** How late each part of the mail server's and of Twilio's answers arrives, ms; at once where it is left out. */
  slowMs?: { mail: number; twilio: number };
  clock?: Clock;
  /** A mongod of its own, whose parameters the test may set. */
  ownMongo?: boolean;
  /** Query of SMTP_URL; then the notifier also signs in. */
  smtpQuery?: string;
};

export async function startTestNotifier(over: Record<string, string> = {}, options: Options = {}) {
  const sandboxOptions = options.sandbox ?? {};
  const [mongo, nats] = await Promise.all([startMongo({ own: options.ownMongo ?? false }), startNats()]);
  let sandbox = await startSandbox(sandboxOptions);
  const { sign, jwks } = gatewayKey();
  const door = await openFrontDoor(sign);
  const identity = await startSibling('identity', nats);
  const cases = await startSibling('cases', nats);
  const monitor = await startSibling('monitor', nats);
  const env = environment({ mongo, nats, sandbox, jwks, publicUrl: door.url }, over);
  const slow = options.slowMs && {
    mail: await openSlowLink(sandbox.smtp_url, options.slowMs.mail),
    twilio: await openSlowLink(sandbox.twilio_url, options.slowMs.twilio),
  };
  if (slow) Object.assign(env, { SMTP_URL: slow.mail.url, TWILIO_API_BASE_URL: slow.twilio.url });
  if (options.smtpQuery !== undefined)
    env.SMTP_URL = `${sandbox.smtp_url.replace('://', '://sandbox:sandbox-password@')}/?${options.smtpQuery}`;
  const config = readConfig(notifierConfig, env);
  const startService = (clock = options.clock ?? systemClock) => start(notifier, env, { clock });
  let service = await startService();
  door.leadTo(service.port);
  const db: Connection = await connectDatabase(config.MONGODB_URL);

  const users = new Map<number, Person>();
  const inactiveCases = new Set<number>();
  const notices = new Set<{ status_update_id: number; date: string }>();
  const firms = new Map<number, FirmReply>();
  const changedCases = new Map<number, Partial<CaseReply> | null>();
  const away = new Set<'identity.people' | 'identity.firm' | 'cases.active' | 'cases.cases'>();
  servePeople(
    identity.bus,
    (id) => users.get(id),
    () => {
      if (away.has('identity.people')) throw new ApiError('service_unavailable');
    },
  );
  cases.bus.serve('cases.active', async ({ case_ids }) => {
    if (away.has('cases.active')) throw new ApiError('service_unavailable');
    return { case_ids: case_ids.filter((id) => !inactiveCases.has(id)), notices: [...notices] };
  });
  identity.bus.serve('identity.firm', async ({ partner_id }) => {
    if (away.has('identity.firm')) throw new ApiError('service_unavailable');
    return firms.get(partner_id) ?? { firm: null, members: [] };
  });
  cases.bus.serve('cases.cases', async ({ ids }) => {
    if (away.has('cases.cases')) throw new ApiError('service_unavailable');
    const found = ids.filter((id) => changedCases.get(id) !== null);
    return { cases: found.map((id) => ({ ...aCaseReply(id), ...changedCases.get(id) })) };
  });
  const told = await hear(cases);

  return {
    users,
    inactiveCases,
    /** Whom the alerts of partners reach; a partner without an entry does not exist. */
    firms,
    /** What is different of cases; null: it does not exist. */
    changedCases,
    /** What `alert.updated` said of a StatusUpdate and a member, in the order of its revisions. */
    alertsOf: (id: number, staffId: number) =>
      told.alerts
        .filter((event) => event.status_update_id === id && event.staff_id === staffId)
        .sort((a, b) => a.revision - b.revision),
    /** The same of a state of monitoring of a case. */
    monitoringAlertsOf: (caseId: number, staffId: number) =>
      told.alerts
        .filter(
          (event) => event.monitoring !== null && event.case_id === caseId && event.staff_id === staffId,
        )
        .sort((a, b) => a.revision - b.revision),
    /** What firms read in notices. */
    notices,
    /** Requests that are answered with 503. */
    away,
    identity,
    cases,
    monitor,
    nats,
    config,
    publicUrl: door.url,
    askAs: door.askAs,
    db,
    /** What `notification.updated` said of one channel of one StatusUpdate, in the order of its revisions. */
    said: (id: number, channel: Channel) =>
      told.events
        .filter((event) => event.status_update_id === id && event.channel === channel)
        .sort((a, b) => a.revision - b.revision),
    async saidOf(id: number, channel: Channel, status: NotificationUpdated['status']) {
      const what = `${channel} of update ${id} being ${status}`;
      const found = () => this.said(id, channel).find((event) => event.status === status);
      // Longer than any claim that a test waits for.
      return await waitFor(found, { what, timeoutMs: 60_000 }).catch((cause: unknown) => {
        throw new Error(`${what}: said was ${JSON.stringify(this.said(id, channel))}`, { cause });
      });
    },
    mails: (to?: string) =>
      getJson<CaughtMail[]>(
        `${sandbox.mail_url}/sandbox/mails${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`,
      ),
    /** Mails that have begun and not ended. */
    receiving: () => getJson<{ to: string; bytes: number }[]>(`${sandbox.mail_url}/sandbox/receiving`),
    messages: (to: string) =>
      getJson<CaughtMessage[]>(`${sandbox.twilio_url}/sandbox/messages?to=${encodeURIComponent(to)}`),
    mailFault: (fault: object) => putJson(`${sandbox.mail_url}/sandbox/faults`, fault),
    twilioFault: (fault: object) => putJson(`${sandbox.twilio_url}/sandbox/faults`, fault),
    /** A mail provider reports on the latest mail to an address. @returns the HTTP status of our answer */
    async report(report: MailReport) {
      const url = `${door.url}/v1/callbacks/email/${report.provider}`;
      return await postJson<Reported>(`${sandbox.mail_url}/sandbox/reports`, { ...report, url });
    },
    /** A person sends a WhatsApp message. */
    async reply(from: string, body: string, more: { sid?: string; opt_out_type?: string } = {}) {
      const url = `${door.url}/v1/callbacks/twilio`;
      const { twilio_url } = sandbox;
      return await postJson<Reported>(`${twilio_url}/sandbox/inbound`, { ...more, from, body, url });
    },
    async rawMail(to: string) {
      const mails = await getJson<{ id: string }[]>(
        `${sandbox.mail_url}/sandbox/mails?to=${encodeURIComponent(to)}`,
      );
      const answer = await fetch(`${sandbox.mail_url}/sandbox/mails/${mails[0]?.id}/raw`);
      return Buffer.from(await answer.arrayBuffer());
    },
    setContents: (contents: object) => putJson(`${sandbox.twilio_url}/sandbox/contents`, contents),
    twilioToken: sandbox.twilio_auth_token,
    /** The stand-ins go away; `startSandbox` brings them back at the same addresses. */
    stopSandbox: () => sandbox.stop(),
    async startSandbox() {
      sandbox = await startSandbox(sandboxOptions);
    },
    /** What a process of its own would be started with. */
    env,
    stopService: () => service.stop(),
    async startService(clock?: Clock) {
      service = await startService(clock);
      door.leadTo(service.port);
    },
    /** One more of the same, on the same database; stopped by whoever asked for it. */
    startReplica: startService,
    async stop() {
      // First: the notifier's stop waits for answers, and a stand-in may never give one.
      await sandbox.stop();
      await service.stop();
      await db.close();
      await Promise.all([identity.stop(), cases.stop(), monitor.stop()]);
      await Promise.all([slow?.mail.stop(), slow?.twilio.stop()]);
      await Promise.all([door.stop(), nats.stop()]);
      await mongo.stop();
    },
    async [Symbol.asyncDispose]() {
      await this.stop();
    },
  };
}

/** Consumes as cases does, and keeps what the notifier says. */
async function hear(cases: Sibling<'cases'>) {
  const events: NotificationUpdated[] = [];
  const alerts: EventData<'alert.updated'>[] = [];
  await cases.consume({
    'notification.updated': async (data) => {
      events.push(data);
    },
    'alert.updated': async (data) => {
      alerts.push(data);
    },
  });
  return { events, alerts };
}

async function getJson<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

async function postJson<T>(url: string, body: object): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

async function putJson(url: string, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the stand-in refused the fault: ${await answer.text()}`);
}
