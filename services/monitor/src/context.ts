import type { Base } from '@casewatch/platform';
import type { Uscis } from './clients/uscis.ts';
import type { MonitorConfig } from './config.ts';
import type { Pacing } from './domain/schedule.ts';
import type { Outlook } from './scheduling/outlook.ts';
import type { ScheduleMetrics } from './scheduling/metrics.ts';
import type { SendingMetrics } from './sending/metrics.ts';
import type { Stores } from './store/stores.ts';

/** What every part of the monitor works with. */
export type Context = Base<'monitor'> & {
  readonly config: MonitorConfig;
  readonly stores: Stores;
  readonly pacing: Pacing;
  readonly uscis: Uscis;
  readonly sendingMetrics: SendingMetrics;
  readonly scheduleMetrics: ScheduleMetrics;
  readonly outlook: Outlook;
};
