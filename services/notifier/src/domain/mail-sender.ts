export type MailSender = { name: string; address: string };

/**
 * Sender of a mail. `from` is MAIL_FROM. With a partner's name `<partner> via <our name>`: its users know the partner, and a
 * mail about USCIS from an unknown sender looks like fraud.
 */
export function senderOf(from: string, partnerName: string | null): MailSender {
  // `Name <address>`, or an address alone.
  const parts = /^([^<]*)<([^>]+)>$/.exec(from.trim());
  const ourName = parts?.[1]?.replaceAll('"', '').trim() ?? '';
  const address = parts?.[2] ?? from.trim();
  const names = [partnerName ?? '', ourName].filter((name) => name !== '');
  return { name: names.join(' via '), address };
}
