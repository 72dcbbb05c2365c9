import { randomBytes } from 'node:crypto';

/** `response_status` null = no answer. */
interface Callback {
  status: string;
  sent_at: string;
  response_status: number | null;
}

/** Times are ISO; `sent_at` is null until the message is sent. */
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

export function newMessageSid(): string {
  return `SM${randomBytes(16).toString('hex')}`;
}

/** A number without its channel; a query string may have turned the `+` into a space. */
export function bareNumber(text: string): string {
  const number = text.replace(/^whatsapp:/i, '').trim();
  return number.startsWith('+') ? number : `+${number}`;
}
