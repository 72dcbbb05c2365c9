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
  if (mode === 'drip') return await drip(res, settings);
  res.status(status).set(headers);
  if (mode === 'endless') writeForever(res);
  else if (body !== null) res.send(body);
  else res.json({ received: true });
}

/** Sends a whole answer, its status line too, one byte a second. */
async function drip({ socket }: Response, { status, headers }: Settings): Promise<void> {
  const body = '{"received":true}';
  const fields = Object.entries({ ...headers, 'Content-Length': String(body.length) });
  const lines = fields.map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`;
  for (const byte of Buffer.from([statusLine, ...lines, '', body].join('\r\n'))) {
    if (!socket?.writable) return;
    socket.write(Buffer.of(byte));
    await pause(1_000);
  }
  socket?.end();
}
