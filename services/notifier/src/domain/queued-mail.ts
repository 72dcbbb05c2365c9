import { endpointFailingRequest, sendRequest } from '@casewatch/contracts';
import { z } from 'zod';

/** The content of a mail that waits in `mails`: that of the request, whose name or `kind` says which mail it is. */
export const queuedMail = z.discriminatedUnion('kind', [
  ...sendRequest.options,
  endpointFailingRequest.extend({ kind: z.literal('endpoint_failing') }),
]);

export type QueuedMail = z.infer<typeof queuedMail>;
