/** Where a sealed secret belongs: it does not open as another endpoint's. */
export function secretContext(webhookId: number): string {
  return `webhook:${webhookId}:secret`;
}

/** Where a sealed header value belongs. */
export function headerContext(webhookId: number, name: string): string {
  return `webhook:${webhookId}:header:${name}`;
}
