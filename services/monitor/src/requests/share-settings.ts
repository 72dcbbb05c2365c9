import type { MonitorConfig } from '../config.ts';
import type { ShareSettings } from '../domain/shares.ts';

/** Callers' shares of the government's day, as the settings have them. */
export function shareSettingsOf(config: MonitorConfig): ShareSettings {
  return {
    daily: config.USCIS_DAILY_BUDGET,
    partnerShare: config.MONITOR_PARTNER_SHARE,
    directUser: config.MONITOR_DIRECT_USER_CHECKS,
    directShare: config.MONITOR_DIRECT_SHARE,
  };
}
