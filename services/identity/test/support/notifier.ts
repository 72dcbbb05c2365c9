import { setTimeout as delay } from 'node:timers/promises';
import type {
  ArrivalMailRequest,
  DeletionMailRequest,
  ReplyToMailRequest,
  SendRequest,
  StaffMailRequest,
} from '@casewatch/contracts';
import { connectAs, type TestNats, waitFor } from '@casewatch/testing';

type SentMail =
  | SendRequest
  | StaffMailRequest
  | ReplyToMailRequest
  | ArrivalMailRequest
  | DeletionMailRequest;

export type TestNotifier = {
  /** Every request, repeated ones too. */
  readonly sent: SentMail[];
  mailTo(to: string): Promise<SentMail>;
  stop(): Promise<void>;
};

/** Answers the requests for mails of identity with the notifier's own rights on the bus, each one `slowMs` late. */
export async function startTestNotifier(nats: TestNats, slowMs = 0): Promise<TestNotifier> {
  const sent: TestNotifier['sent'] = [];
  const bus = await connectAs(nats, 'notifier');
  const take = async (request: SentMail) => {
    sent.push(request);
    await delay(slowMs);
    return { accepted: true as const };
  };
  bus.serve('notifier.send', take);
  bus.serve('notifier.of_staff', async () => ({ alerts: [] }));
  bus.serve('notifier.staff_mail', take);
  bus.serve('notifier.reply_to_mail', take);
  bus.serve('notifier.arrival_mail', take);
  bus.serve('notifier.deletion_mail', take);
  await bus.connection.flush();
  return {
    sent,
    mailTo: (to) => waitFor(() => sent.findLast((mail) => mail.to === to), { what: `a mail to ${to}` }),
    stop: () => bus.stop(),
  };
}
