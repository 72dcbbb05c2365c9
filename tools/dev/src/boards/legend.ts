/** Replaces `{{label}}` by the value of the label, as Grafana does; a missing label leaves nothing. */
export function legendOf(format: string, labels: Readonly<Record<string, string>>): string {
  return format.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => labels[name] ?? '').trim();
}
