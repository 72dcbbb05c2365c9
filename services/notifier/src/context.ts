import type { Base, Mac, SecretBox } from '@casewatch/platform';
import type { Mailer } from './clients/smtp.ts';
import type { Whatsapp } from './clients/twilio.ts';
import type { NotifierConfig } from './config.ts';
import type { Circuit } from './domain/circuit.ts';
import type { MailStore } from './store/mails.ts';
import type { NotificationStore } from './store/notifications.ts';
import type { SuppressionStore } from './store/suppressions.ts';
import type { TombstoneStore } from './store/tombstones.ts';

/** The lanes that messages go out on; none waits for another. */
export type LaneName = 'email' | 'whatsapp' | 'mails';

/** What every part of the notifier works with. */
export type NotifierContext = {
  readonly config: NotifierConfig;
  readonly log: Base<'notifier'>['log'];
  readonly clock: Base<'notifier'>['clock'];
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  readonly db: Base<'notifier'>['db'];
  readonly bus: Base<'notifier'>['bus'];
  readonly outbox: Base<'notifier'>['outbox'];
  readonly notifications: NotificationStore;
  readonly mails: MailStore;
  readonly tombstones: TombstoneStore;
  readonly suppressions: SuppressionStore;
  /** Holds what a mail says until it is sent. */
  readonly box: SecretBox;
  /** Signs unsubscribe links. */
  readonly links: Mac;
  /** Status mail and account mail have pools of their own, so that the one never waits for the other. */
  readonly statusMailer: Mailer;
  readonly accountMailer: Mailer;
  /** Null where Twilio is not set up. */
  readonly whatsapp: Whatsapp | null;
  readonly circuits: Readonly<Record<'email' | 'whatsapp', Circuit>>;
  /** Something may be due on this lane now. */
  wake(lane: LaneName): void;
};
