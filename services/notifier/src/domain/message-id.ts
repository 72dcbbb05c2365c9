import { createHash } from 'node:crypto';

/**
 * The Message-ID of a status mail: the same on every try, which is the only hint of a repetition that a mailbox has
 * (notifier.md). `from` is MAIL_FROM, with or without a display name.
 */
export function statusMessageId(statusUpdateId: number, from: string): string {
  return `<${statusUpdateId}.email@${domainOf(from)}>`;
}

/** The Message-ID of any other mail; its own id may have characters that a Message-ID may not. */
export function accountMessageId(id: string, kind: string, from: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `<${hash}.${kind}@${domainOf(from)}>`;
}

function domainOf(from: string): string {
  return from.slice(from.lastIndexOf('@') + 1).replace(/[>\s]/g, '');
}
