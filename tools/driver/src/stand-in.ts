import type { Addresses } from './dev-file.ts';
import { DriverError } from './errors.ts';

const timeoutMs = 20_000;

/** `signature_ok` is null if the receiver does not know the secret. */
export type ReceivedHook = { headers: Record<string, string>; body: string; signature_ok: boolean | null };

/** @throws DriverError with the status of a refusal */
export async function readJson<T>(url: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  const text = await response.text();
  if (!response.ok) throw new DriverError(`${url} answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export function sendJson<T = unknown>(url: string, body: unknown, method = 'PUT'): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return readJson<T>(url, { method, headers, body: JSON.stringify(body) });
}

export function hooksOf({ receiver_url }: Addresses, name: string): Promise<ReceivedHook[]> {
  return readJson(`${receiver_url}/sandbox/hooks/${name}`);
}

type Message = { to: string; content_variables: Record<string, string> };

export function messagesTo({ twilio_url }: Addresses, phone: string): Promise<Message[]> {
  return readJson(`${twilio_url}/sandbox/messages?to=${encodeURIComponent(phone)}`);
}
