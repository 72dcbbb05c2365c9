/**
 * What became of one submission to a provider. The union is closed: every answer is mapped to one of these, by table
 * and by test (notifier.md, Sending). `error` is `code: short text`, without address, phone, code or token.
 */
export type Outcome =
  | { kind: 'accepted'; provider_message_id: string | null }
  /** Not accepted, but may be later. `counts: false`: the provider did not process it, so it was no attempt. */
  | { kind: 'transient'; error: string; counts: boolean }
  /** Never for this recipient or content. */
  | { kind: 'permanent'; error: string }
  /** The fault is ours (credentials, sender, template): it pauses the channel and costs no attempt. */
  | { kind: 'configuration'; error: string }
  /** The provider may have accepted it: the connection died, or it answered too late. */
  | { kind: 'ambiguous'; error: string };
