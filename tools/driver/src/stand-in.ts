import type { Addresses } from './dev-file.ts';
import { DriverError } from './errors.ts';

const timeoutMs = 20_000;

/** A webhook call as the receiver got it; `signature_ok` is null where the receiver does not know the secret. */
export type ReceivedHook = { headers: Record<string, string>; body: string; signature_ok: boolean | null };

/** JSON of a stand-in. @throws DriverError with the status of a refusal */
export async function readJson<T>(url: string): Promise<T> {
  return (await answerOf(url, {})).json() as Promise<T>;
}

/** Tells a stand-in what to do from now on. @throws DriverError with the status of a refusal */
export async function tell<T = unknown>(url: string, body: unknown, method = 'PUT'): Promise<T | undefined> {
  const headers = { 'content-type': 'application/json' };
  const response = await answerOf(url, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  return text === '' ? undefined : (JSON.parse(text) as T);
}

async function answerOf(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  if (response.ok) return response;
  throw new DriverError(`${url} answered ${response.status}: ${await response.text()}`);
}

/** The calls to `<receiver_url>/hooks/<name>`. */
export function hooksOf({ receiver_url }: Addresses, name: string): Promise<ReceivedHook[]> {
  return readJson(`${receiver_url}/sandbox/hooks/${name}`);
}

/** The WhatsApp messages to a phone. */
export function messagesTo(
  { twilio_url }: Addresses,
  phone: string,
): Promise<{ to: string; content_variables: Record<string, string> }[]> {
  return readJson(`${twilio_url}/sandbox/messages?to=${encodeURIComponent(phone)}`);
}
