/** A sealed secret opens only for its endpoint. */
export function secretContext(webhookId: number): string {
  return `webhook:${webhookId}:secret`;
}

export function headerContext(webhookId: number, name: string): string {
  return `webhook:${webhookId}:header:${name}`;
}
