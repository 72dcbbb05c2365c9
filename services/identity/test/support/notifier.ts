import { setTimeout as delay } from 'node:timers/promises';
import type { SendRequest } from '@casewatch/contracts';
import { connectAs, type TestNats, waitFor } from '@casewatch/testing';

export type TestNotifier = {
  /** Every request, repeated ones too. */
  readonly sent: SendRequest[];
  mailTo(to: string): Promise<SendRequest>;
  stop(): Promise<void>;
};

/** Answers `notifier.send` with the notifier's own rights on the bus, each one `slowMs` late. */
export async function startTestNotifier(nats: TestNats, slowMs = 0): Promise<TestNotifier> {
  const sent: SendRequest[] = [];
  const bus = await connectAs(nats, 'notifier');
  bus.serve('notifier.send', async (request) => {
    sent.push(request);
    await delay(slowMs);
    return { accepted: true };
  });
  await bus.connection.flush();
  return {
    sent,
    mailTo: (to) => waitFor(() => sent.findLast((mail) => mail.to === to), { what: `a mail to ${to}` }),
    stop: () => bus.stop(),
  };
}
