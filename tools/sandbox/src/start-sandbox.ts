import type { Listener } from './http/listen.ts';
import { describeIssues } from './http/read-request.ts';
import { startMail } from './mail/start-mail.ts';
import { startReceiver } from './receiver/start-receiver.ts';
import { type SandboxOptions, settings } from './settings.ts';
import { makeAuthority } from './tls/certificates.ts';
import { startTraces } from './traces/start-traces.ts';
import { startTwilio } from './twilio/start-twilio.ts';
import { startUscis } from './uscis/start-uscis.ts';

/** Addresses without a trailing slash, and the keys that the stand-ins accept. */
export interface Sandbox {
  mail_url: string;
  smtp_url: string;
  /** Keys of the reports of `POST /sandbox/reports`. */
  sendgrid_public_key: string;
  resend_secret: string;
  uscis_url: string;
  twilio_url: string;
  receiver_url: string;
  /** A receiver whose certificate is for another name, issued by the authority `receiver_tls_ca` (PEM). */
  receiver_tls_url: string;
  receiver_tls_ca: string;
  /** Collector of traces (OTLP over HTTP) and its viewer. */
  traces_url: string;
  uscis_client_id: string;
  uscis_client_secret: string;
  twilio_account_sid: string;
  twilio_auth_token: string;
  stop: () => Promise<void>;
}

/** Starts the stand-ins, seven listeners in this process. @throws Error that names every wrong option, or the taken port */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const parsed = settings.safeParse(options);
  if (!parsed.success) throw new Error(`The sandbox cannot start: ${describeIssues(parsed.error)}`);
  const chosen = parsed.data;
  const open: Listener[] = [];
  const stop = async () => {
    await Promise.all(open.map((listener) => listener.close()));
  };
  const place = (name: string, port: number) => ({ host: chosen.host, port, name });
  try {
    const tls = chosen.smtpStartTls ? makeAuthority('mail catcher').issue('127.0.0.1') : null;
    const mail = await startMail(
      {
        smtp: place('mail catcher (SMTP)', chosen.smtpPort),
        http: place('mail catcher', chosen.mailPort),
      },
      { user: chosen.smtpUser, password: chosen.smtpPassword, tls },
      chosen.resendSecret,
    );
    open.push(mail.smtp, mail.http);
    const uscis = await startUscis({
      place: place('USCIS stand-in', chosen.uscisPort),
      client: { id: chosen.uscisClientId, secret: chosen.uscisClientSecret },
      limits: chosen.uscisLimits,
      dataDir: chosen.dataDir,
    });
    open.push(uscis);
    const account = { sid: chosen.twilioAccountSid, authToken: chosen.twilioAuthToken };
    const twilio = await startTwilio({ place: place('Twilio emulator', chosen.twilioPort), account });
    open.push(twilio);
    const receiver = await startReceiver({
      http: place('webhook receiver', chosen.receiverPort),
      https: place('webhook receiver (TLS)', chosen.receiverTlsPort),
    });
    open.push(receiver.http, receiver.https);
    const traces = await startTraces(place('trace viewer', chosen.tracesPort), chosen.logsDir);
    open.push(traces);
    return {
      mail_url: mail.http.url,
      smtp_url: mail.smtp.url,
      sendgrid_public_key: mail.keys.sendgridPublicKey,
      resend_secret: mail.keys.resendSecret,
      uscis_url: uscis.url,
      twilio_url: twilio.url,
      receiver_url: receiver.http.url,
      receiver_tls_url: receiver.https.url,
      receiver_tls_ca: receiver.https.ca,
      traces_url: traces.url,
      uscis_client_id: chosen.uscisClientId,
      uscis_client_secret: chosen.uscisClientSecret,
      twilio_account_sid: account.sid,
      twilio_auth_token: account.authToken,
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}
