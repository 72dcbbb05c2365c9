import { casePage } from './case.ts';
import { pauseCase, resumeCase } from './case-actions.ts';
import { caseList } from './cases.ts';
import { deleteUser } from './delete-user.ts';
import { deliveryPage, redeliver } from './delivery.ts';
import { endpointPage } from './endpoint.ts';
import {
  activateEndpoint,
  deactivateEndpoint,
  deleteEndpoint,
  editEndpoint,
  editEndpointForm,
  startReplay,
  testEndpoint,
} from './endpoint-actions.ts';
import { rotateSecret } from './endpoint-secret.ts';
import { eventList } from './events.ts';
import { createKey, newKeyForm, revokeKey, rotateKey } from './key-actions.ts';
import { keyList } from './keys.ts';
import { createCase, newCaseForm } from './new-case.ts';
import { createEndpoint, newEndpointForm } from './new-endpoint.ts';
import { createUser, newUserForm } from './new-user.ts';
import { overview } from './overview.ts';
import { cancelReplay, replayPage } from './replay.ts';
import { saveLogo, settingsPage } from './settings.ts';
import { userPage } from './user.ts';
import { activateUser, deactivateUser, editUser, editUserForm, resendVerification } from './user-actions.ts';
import { userList } from './users.ts';
import { webhookList } from './webhooks.ts';

/** Every page and form of the console. Paths without parameters stand before paths with parameters. */
export const consolePages = [
  ...[overview, caseList, casePage, pauseCase, resumeCase],
  ...[userList, newUserForm, createUser, userPage, editUserForm, editUser, activateUser, deactivateUser],
  ...[resendVerification, deleteUser, newCaseForm, createCase],
  ...[webhookList, newEndpointForm, createEndpoint, endpointPage, editEndpointForm, editEndpoint],
  ...[activateEndpoint, deactivateEndpoint, deleteEndpoint, testEndpoint, rotateSecret],
  ...[startReplay, replayPage, cancelReplay, deliveryPage, redeliver, eventList],
  ...[keyList, newKeyForm, createKey, rotateKey, revokeKey, settingsPage, saveLogo],
];
