/** Result of one submission (notifier.md, Sending). `error` is `code: short text` without personal data. */
export type Outcome =
  | { kind: 'accepted'; provider_message_id: string | null }
  /** May succeed later. `counts: false`: the provider did not process the submission, so it is no attempt. */
  | { kind: 'transient'; error: string; counts: boolean }
  /** Never succeeds for this recipient or content. */
  | { kind: 'permanent'; error: string }
  /** Our credentials, sender or template are wrong: pauses the channel, and is no attempt. */
  | { kind: 'configuration'; error: string }
  /** The provider may have accepted the message: there was no answer in time. */
  | { kind: 'ambiguous'; error: string };
