import type { RequestData } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Siblings } from './siblings.ts';

type Notice = RequestData<'notifier.endpoint_failing'>;

export type OwnerMails = {
  /** The mails about an endpoint. The notifier sends each id once. */
  about(webhookId: number): Notice[];
  /** Refuses the next mail about an endpoint. */
  refuseNext(webhookId: number): void;
  /** The mail was refused. */
  hasRefused(): boolean;
};

/** identity knows the address of each partner but one; the notifier accepts the mails. */
export function serveOwnerMails({ identity, notifier }: Siblings, withoutAddress: number): OwnerMails {
  const mails = new Map<string, Notice>();
  let refused: number | null = null;
  let hasRefused = false;
  identity.bus.serve('identity.partner', async ({ partner_id: id }) => ({
    email: id === withoutAddress ? '' : `office-${id}@example.org`,
  }));
  notifier.bus.serve('notifier.endpoint_failing', async (mail) => {
    if (mail.webhook_id === refused) {
      refused = null;
      hasRefused = true;
      throw new ApiError('service_unavailable');
    }
    mails.set(mail.message_id, mail);
    return { accepted: true };
  });
  return {
    about: (webhookId) => [...mails.values()].filter((mail) => mail.webhook_id === webhookId),
    refuseNext(webhookId) {
      refused = webhookId;
    },
    hasRefused: () => hasRefused,
  };
}
