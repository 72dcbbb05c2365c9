import type { LimitPolicy } from '@casewatch/contracts';
import type { GatewayConfig } from '../config.ts';

/** The limits that the settings ask for, requests a minute; at least one. */
export function limitsPerMinute(config: GatewayConfig): Readonly<Record<LimitPolicy, number>> {
  const scaled = (limit: number) => Math.max(1, Math.round(limit * config.RATE_LIMIT_SCALE));
  return {
    address: scaled(config.RATE_LIMIT_ADDRESS_PER_MINUTE),
    partner: scaled(config.RATE_LIMIT_PARTNER_PER_MINUTE),
    user: scaled(config.RATE_LIMIT_USER_PER_MINUTE),
  };
}
