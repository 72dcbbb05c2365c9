import { activity } from './activity.ts';
import { alertPages } from './alerts.ts';
import { casePages } from './case.ts';
import { caseListPages } from './cases.ts';
import { changePages } from './changes.ts';
import { deliveryPages } from './delivery.ts';
import { endpointForms } from './edit-endpoint.ts';
import { userForms } from './edit-user.ts';
import { endpointPages } from './endpoint.ts';
import { eventList } from './events.ts';
import { importPages } from './imports.ts';
import { keyPages } from './keys.ts';
import { memberExport } from './member-export.ts';
import { newCasePages } from './new-case.ts';
import { overview } from './overview.ts';
import { replayPages } from './replay.ts';
import { settingsPages } from './settings.ts';
import { staffPages } from './staff.ts';
import { userPages } from './user.ts';
import { userList } from './users.ts';
import { usersWithoutMessages } from './users-without-messages.ts';
import { webhookList } from './webhooks.ts';

/** Every page and form of the console. Paths without parameters stand before paths with parameters. */
export const consolePages = [
  ...[
    ...changePages,
    overview,
    ...newCasePages,
    ...importPages,
    ...caseListPages,
    ...casePages,
    userList,
    usersWithoutMessages,
    ...userForms,
    ...userPages,
  ],
  ...[webhookList, ...endpointForms, ...endpointPages, ...replayPages, ...deliveryPages],
  ...[eventList, ...keyPages, ...staffPages, memberExport, activity, ...alertPages, ...settingsPages],
];
