import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { bind, type Listener, type Place } from '../http/listen.ts';
import { logError } from '../http/log-error.ts';
import { type Fault, faultFor } from './fault.ts';
import { type Mail, readMail } from './mail.ts';

/** Longer than any client waits: the client must give up first. */
const SOCKET_TIMEOUT_MS = 600_000;

export interface Catcher {
  mails: Mail[];
  fault: Fault;
}

/** Starts SMTP without authentication and TLS; every recipient is accepted unless a fault refuses it. */
export async function listenSmtp(catcher: Catcher, place: Place): Promise<Listener> {
  const sockets = new Map<string, Socket>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    socketTimeout: SOCKET_TIMEOUT_MS,
    size: 25 * 1024 * 1024,
    onRcptTo: ({ address }, _session, reply) => {
      const fault = faultFor(catcher.fault, [address]);
      if (fault?.mode === 'reject') reply(refusal(fault.code ?? 550, 'Mailbox unavailable'));
      else if (fault?.mode === 'greylist') reply(refusal(fault.code ?? 451, 'Greylisted, try again later'));
      else if (fault?.mode !== 'hang') reply();
    },
    onData: (stream, session, reply) => {
      keep(catcher, stream, session).then(
        (dropped) => (dropped ? sockets.get(peer(session))?.destroy() : reply()),
        (err: unknown) => {
          logError(err);
          reply(refusal(554, 'The mail could not be read'));
        },
      );
    },
  });
  // A client may reset its connection: no accepted mail is lost.
  server.on('error', logError);
  server.server.on('connection', (socket) => {
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

/** @returns whether a fault drops the connection now */
async function keep(
  catcher: Catcher,
  stream: NodeJS.ReadableStream,
  session: SMTPServerSession,
): Promise<boolean> {
  const raw = await buffer(stream);
  const { mailFrom, rcptTo } = session.envelope;
  const recipients = rcptTo.map(({ address }) => address);
  const from = mailFrom === false ? '' : mailFrom.address;
  catcher.mails.push(await readMail(raw, { id: randomUUID(), from, recipients }));
  return faultFor(catcher.fault, recipients)?.mode === 'drop_after_data';
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function peer({ remoteAddress, remotePort }: SMTPServerSession): string {
  return `${remoteAddress}:${remotePort}`;
}
