import type { ServiceName } from '@casewatch/contracts';
import type { Bus, Clock, Logger, PrincipalSigner } from '@casewatch/platform';
import type { Authenticator } from './auth/authenticate.ts';
import type { Revocations } from './auth/revocations.ts';
import type { ServiceClient } from './clients/service-client.ts';
import type { GatewayConfig } from './config.ts';
import type { Limits } from './limits/limits.ts';
import type { UnderWay } from './limits/under-way.ts';

/** What the gateway's parts work with. */
export type Context = {
  readonly config: GatewayConfig;
  readonly log: Logger;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly authenticate: Authenticator;
  readonly revocations: Revocations;
  readonly limits: Limits;
  readonly underWay: UnderWay;
  readonly sign: PrincipalSigner;
  /** The services behind it that answer HTTP. */
  readonly services: ReadonlyMap<ServiceName, ServiceClient>;
};
