import { mongodbCheck } from '@casewatch/platform/database';

/** What a preflight of cases tries beside NATS and DNS. */
export const casesChecks = [mongodbCheck('cases')];
