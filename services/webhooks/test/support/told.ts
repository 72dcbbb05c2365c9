import type { Received } from './receiver.ts';

/** The event of a call that the receiver got. */
export type Told = { id: string; type: string; timestamp: string; data: Record<string, unknown> };

export function read(call: Received | undefined): Told {
  return JSON.parse(call?.body ?? 'null') as Told;
}
