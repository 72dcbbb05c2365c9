import type { Failure } from './provider-answer.ts';
import type { AddressReason } from './suppression.ts';

/** Result of one submission (notifier.md, Sending). `error`, `said`: as in `Failure`. */
export type Outcome =
  | { kind: 'accepted'; provider_message_id: string | null }
  /** May succeed later. `counts: false`: the provider did not process the submission, so it is no attempt. */
  | (Failure & { kind: 'transient'; counts: boolean })
  /** The mail waited for its turn until its time was over. Nothing has failed: it is due immediately, as it was before. */
  | (Failure & { kind: 'held' })
  /** Never succeeds for this recipient or content. `isPolicy`: refused by 5.7.x, which may be about us. */
  | (Failure & { kind: 'permanent'; suppresses?: SuppressedFor; isPolicy?: boolean })
  /** Our credentials, sender or template are wrong: pauses the channel or the template, and is no attempt. */
  | (Failure & { kind: 'configuration'; isTemplate?: boolean })
  /** The provider may have accepted the message: there was no answer in time. */
  | (Failure & { kind: 'ambiguous' });

/** What the error of a provider means. */
export type FailedOutcome = Exclude<Outcome, { kind: 'accepted' }>;

/** The address gets nothing more; `days` null: for good. */
export type SuppressedFor = { reason: AddressReason; days: number | null };
