import { createHash } from 'node:crypto';

const plainId = /^[0-9a-f]{32}$/;

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

/** Of a mail to a firm's staff. The id of an overview is hashed: it has colons, which a Message-ID may not have (RFC 5322 §3.6.4). */
export function memberMessageId(mailId: string, from: string): string {
  return plainId.test(mailId)
    ? `<${mailId}.member@${domainOf(from)}>`
    : accountMessageId(mailId, 'digest.member', from);
}

/** The id of the mail to a firm's staff; null for any other. */
export function readMemberMessageId(messageId: string, from: string): string | null {
  // <32 hex digits>.member, at our domain
  const parts = /^<?([0-9a-f]{32})\.member@([^<>@]+?)>?$/.exec(messageId.trim());
  return parts?.[2] === domainOf(from) ? (parts[1] ?? null) : null;
}

/** Hashed, because the id may contain characters that a Message-ID may not. */
export function accountMessageId(id: string, kind: string, from: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `<${hash}.${kind}@${domainOf(from)}>`;
}

function domainOf(from: string): string {
  return from.slice(from.lastIndexOf('@') + 1).replace(/[>\s]/g, '');
}
