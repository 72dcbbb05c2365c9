import { createHash } from 'node:crypto';

/** The same for every attempt, so that mail programs can recognize a duplicate. `from` is MAIL_FROM. */
export function statusMessageId(statusUpdateId: number, from: string): string {
  return `<${statusUpdateId}.email@${domainOf(from)}>`;
}

export function digestMessageId(digest: string, from: string): string {
  return `<${digest}.digest@${domainOf(from)}>`;
}

/** The id of the notification or digest; null for any other mail. */
export function readMessageId(messageId: string, from: string): string | null {
  // <number>.email or <32 hex digits>.digest, at our domain
  const parts = /^<?(?:(\d{1,16})\.email|([0-9a-f]{32})\.digest)@([^<>@]+?)>?$/.exec(messageId.trim());
  if (!parts || parts[3] !== domainOf(from)) return null;
  return parts[1] === undefined ? (parts[2] ?? null) : `${parts[1]}:email`;
}

/** Hashed, because the id may contain characters that a Message-ID may not. */
export function accountMessageId(id: string, kind: string, from: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `<${hash}.${kind}@${domainOf(from)}>`;
}

function domainOf(from: string): string {
  return from.slice(from.lastIndexOf('@') + 1).replace(/[>\s]/g, '');
}
