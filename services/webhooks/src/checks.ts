import { mongodbCheck } from '@casewatch/platform/database';

/** What a preflight of webhooks tries beside NATS and DNS. */
export const webhooksChecks = [mongodbCheck('webhooks')];
