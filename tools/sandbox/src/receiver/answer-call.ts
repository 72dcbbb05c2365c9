import { STATUS_CODES } from 'node:http';
import type { Response } from 'express';
import { pause } from '../http/pause.ts';
import { writeForever } from '../http/write-forever.ts';
import type { Hook } from './hook.ts';

type Settings = Pick<Hook, 'mode' | 'status' | 'delayMs' | 'headers' | 'body'>;

/** Answers a call in the mode of its hook (README.md). */
export async function answerCall(res: Response, settings: Settings): Promise<void> {
  const { mode, status, delayMs, headers, body } = settings;
  await pause(delayMs);
  if (mode === 'hang') return;
  if (mode === 'reset') {
    res.socket?.resetAndDestroy();
    return;
  }
  if (mode === 'garbage') {
    res.socket?.end('\u0000\u0001 this is no HTTP\r\n\r\n');
    return;
  }
  if (mode === 'drip') return await drip(res, settings);
  if (mode === 'half') {
    const whole = wholeAnswer(settings);
    res.socket?.end(whole.slice(0, -Math.ceil(received.length / 2)));
    return;
  }
  res.status(status).set(headers);
  if (mode === 'endless') writeForever(res);
  else if (body !== null) res.send(body);
  else res.json({ received: true });
}

const received = '{"received":true}';

/** The bytes of an answer, its status line too. */
function wholeAnswer({ status, headers }: Settings): string {
  const fields = Object.entries({ ...headers, 'Content-Length': String(received.length) });
  const lines = fields.map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', received].join('\r\n');
}

/** Sends a whole answer one byte a second. */
async function drip({ socket }: Response, settings: Settings): Promise<void> {
  for (const byte of Buffer.from(wholeAnswer(settings))) {
    if (!socket?.writable) return;
    socket.write(Buffer.of(byte));
    await pause(1_000);
  }
  socket?.end();
}
