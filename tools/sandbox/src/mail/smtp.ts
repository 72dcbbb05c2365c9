import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { bind, type Listener, type Place } from '../http/listen.ts';
import { logError } from '../http/log-error.ts';
import { applyFault, refusal } from './apply-fault.ts';
import { type Fault, type FaultPlace, faultFor } from './fault.ts';
import { asSent, type Mail, readMail } from './mail.ts';

/** Longer than any client waits: the client must give up first. */
const SOCKET_TIMEOUT_MS = 600_000;

export interface Catcher {
  mails: Mail[];
  /** Mails that have not ended. */
  receiving: Set<Receiving>;
  fault: Fault;
}

/** A mail whose content began; `bytes` of it have come. */
export interface Receiving {
  to: string;
  bytes: number;
}

/** `tls`: a certificate for STARTTLS; null: not offered. */
export interface SmtpAccess {
  user: string;
  password: string;
  tls: { cert: string; key: string } | null;
}

/** Starts SMTP; every mail is accepted unless a fault refuses it. A client that signs in needs the right password. */
export async function listenSmtp(catcher: Catcher, place: Place, access: SmtpAccess): Promise<Listener> {
  const sockets = new Map<string, Socket>();
  const answer = (at: FaultPlace, recipients?: readonly string[]) => {
    const fault = faultFor(catcher.fault, at, recipients);
    return (session: SMTPServerSession, reply: (error?: Error | null) => void) => {
      const drop = () => sockets.get(peer(session))?.destroy();
      if (fault) applyFault(fault, { reply, drop });
      else reply();
    };
  };
  const server = new SMTPServer({
    ...offered(access),
    disableReverseLookup: true,
    socketTimeout: SOCKET_TIMEOUT_MS,
    size: 25 * 1024 * 1024,
    onConnect: (session, reply) => answer('greeting')(session, reply),
    onAuth: ({ username, password }, session, reply) =>
      answer('auth')(session, (error) => {
        const isRight = username === access.user && password === access.password;
        if (error) reply(error);
        else if (isRight) reply(null, { user: access.user });
        else reply(refusal(535, '5.7.8 Authentication failed'));
      }),
    onMailFrom: (_address, session, reply) => answer('mail_from')(session, reply),
    onRcptTo: ({ address }, session, reply) => answer('rcpt', [asSent(address)])(session, reply),
    onData: (stream, session, reply) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => asSent(address));
      const take = async () => {
        const raw = await receive(catcher, stream, recipients.join(', '));
        if (faultFor(catcher.fault, 'data', recipients)) return answer('data', recipients)(session, reply);
        await keep(catcher, raw, session);
        answer('after_data', recipients)(session, reply);
      };
      take().catch((err: unknown) => {
        logError(err);
        reply(refusal(554, 'The mail could not be read'));
      });
    },
  });
  // A client may reset its connection: no accepted mail is lost.
  server.on('error', logError);
  server.server.on('connection', (socket) => {
    if (faultFor(catcher.fault, 'connect')) socket.destroy();
    const key = `${socket.remoteAddress}:${socket.remotePort}`;
    sockets.set(key, socket);
    socket.once('close', () => sockets.delete(key));
  });
  const url = await bind(server.server, place, 'smtp');
  const close = async () => {
    const closed = once(server.server, 'close');
    server.close();
    for (const socket of sockets.values()) socket.destroy();
    await closed;
  };
  return { url, close };
}

function offered({ tls }: SmtpAccess): SMTPServerOptions {
  const signIn = { authOptional: true, allowInsecureAuth: true };
  return tls === null ? { ...signIn, disabledCommands: ['STARTTLS'] } : { ...signIn, ...tls };
}

async function receive({ receiving }: Catcher, stream: Readable, to: string): Promise<Buffer> {
  const mail = { to, bytes: 0 };
  const chunks: Buffer[] = [];
  receiving.add(mail);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      mail.bytes += chunk.length;
    }
    return Buffer.concat(chunks);
  } finally {
    receiving.delete(mail);
  }
}

async function keep(catcher: Catcher, raw: Buffer, session: SMTPServerSession): Promise<void> {
  const { mailFrom, rcptTo } = session.envelope;
  const recipients = rcptTo.map(({ address }) => asSent(address));
  const from = mailFrom === false ? '' : mailFrom.address;
  catcher.mails.push(await readMail(raw, { id: randomUUID(), from, recipients }));
}

function peer({ remoteAddress, remotePort }: SMTPServerSession): string {
  return `${remoteAddress}:${remotePort}`;
}
