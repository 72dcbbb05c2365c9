import { randomBytes } from 'node:crypto';

/** One status callback as it went out; `response_status` null = no answer. */
interface Callback {
  status: string;
  sent_at: string;
  response_status: number | null;
}

/** A message as the emulator keeps it; times are ISO, `sent_at` null until it left. */
export interface Message {
  sid: string;
  to: string;
  from: string;
  body: string;
  content_sid: string | null;
  content_variables: unknown;
  status: string;
  error_code: number | null;
  status_callback: string | null;
  created_at: string;
  updated_at: string;
  sent_at: string | null;
  callbacks: Callback[];
}

/** A fresh message identifier: SM and 32 hex digits. */
export function newMessageSid(): string {
  return `SM${randomBytes(16).toString('hex')}`;
}

/** A number without its channel, for comparing; a `+` that a query string turned into a space is put back. */
export function bareNumber(text: string): string {
  const number = text.replace(/^whatsapp:/i, '').trim();
  return number.startsWith('+') ? number : `+${number}`;
}
