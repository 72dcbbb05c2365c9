import type { ServiceName } from '@casewatch/contracts';
import type { SettingsSchema } from '@casewatch/platform';
import { casesConfig } from '../../../../services/cases/src/config.ts';
import { gatewayConfig } from '../../../../services/gateway/src/config.ts';
import { identityConfig } from '../../../../services/identity/src/config.ts';
import { monitorConfig } from '../../../../services/monitor/src/config.ts';
import { notifierConfig } from '../../../../services/notifier/src/config.ts';
import { webhooksConfig } from '../../../../services/webhooks/src/config.ts';

export const serviceConfigs: Record<ServiceName, SettingsSchema> = {
  gateway: gatewayConfig,
  identity: identityConfig,
  cases: casesConfig,
  monitor: monitorConfig,
  notifier: notifierConfig,
  webhooks: webhooksConfig,
};
