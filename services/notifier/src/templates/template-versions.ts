/** Raise a version with each change of what people read: rows remember it (notifier.md, Content). */
const versions = { status_mail: 1, digest_mail: 1, status_update: 1, status_digest: 1 };

export function templateOf(template: keyof typeof versions): string {
  return `${template}@${versions[template]}`;
}
