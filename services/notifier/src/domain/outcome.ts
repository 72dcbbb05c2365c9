import type { AddressReason } from './suppression.ts';

/** Result of one submission (notifier.md, Sending). `error` is `code: short text` without personal data. */
export type Outcome =
  | { kind: 'accepted'; provider_message_id: string | null }
  /** May succeed later. `counts: false`: the provider did not process the submission, so it is no attempt. */
  | { kind: 'transient'; error: string; counts: boolean }
  /** Never succeeds for this recipient or content. `isPolicy`: refused by 5.7.x, which may be about us. */
  | { kind: 'permanent'; error: string; suppresses?: SuppressedFor; isPolicy?: boolean }
  /** Our credentials, sender or template are wrong: pauses the channel or the template, and is no attempt. */
  | { kind: 'configuration'; error: string; isTemplate?: boolean }
  /** The provider may have accepted the message: there was no answer in time. */
  | { kind: 'ambiguous'; error: string };

/** The address gets nothing more; `days` null: for good. */
export type SuppressedFor = { reason: AddressReason; days: number | null };
