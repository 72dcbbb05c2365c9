import { mongodbCheck } from '@casewatch/platform/database';

/** What a preflight of identity tries beside NATS and DNS. */
export const identityChecks = [mongodbCheck('identity')];
