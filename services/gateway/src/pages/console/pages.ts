import { casePage } from './cases/case.ts';
import { pauseCase, resumeCase } from './cases/case-actions.ts';
import { caseList } from './cases/cases.ts';
import { checkCase } from './cases/check-case.ts';
import { createCase, newCaseForm } from './cases/new-case.ts';
import { eventList } from './events.ts';
import { createKey, newKeyForm, revokeKey, rotateKey } from './keys/key-actions.ts';
import { keyList } from './keys/keys.ts';
import { overview } from './overview/overview.ts';
import { saveLogo, settingsPage } from './settings.ts';
import { deleteUser } from './users/delete-user.ts';
import { createUser, newUserForm } from './users/new-user.ts';
import { userPage } from './users/user.ts';
import {
  activateUser,
  deactivateUser,
  editUser,
  editUserForm,
  resendVerification,
} from './users/user-actions.ts';
import { userList } from './users/users.ts';
import { deliveryPage, redeliver } from './webhooks/delivery.ts';
import { endpointPage } from './webhooks/endpoint.ts';
import {
  activateEndpoint,
  deactivateEndpoint,
  deleteEndpoint,
  editEndpoint,
  editEndpointForm,
  testEndpoint,
} from './webhooks/endpoint-actions.ts';
import { rotateSecret } from './webhooks/endpoint-secret.ts';
import { createEndpoint, newEndpointForm } from './webhooks/new-endpoint.ts';
import { cancelReplay, replayPage } from './webhooks/replay.ts';
import { startReplay } from './webhooks/start-replay.ts';
import { webhookList } from './webhooks/webhooks.ts';

/** Every page and form of the console. Paths without parameters stand before paths with parameters. */
export const consolePages = [
  ...[overview, caseList, casePage, pauseCase, resumeCase, checkCase],
  ...[userList, newUserForm, createUser, userPage, editUserForm, editUser, activateUser, deactivateUser],
  ...[resendVerification, deleteUser, newCaseForm, createCase],
  ...[webhookList, newEndpointForm, createEndpoint, endpointPage, editEndpointForm, editEndpoint],
  ...[activateEndpoint, deactivateEndpoint, deleteEndpoint, testEndpoint, rotateSecret],
  ...[startReplay, replayPage, cancelReplay, deliveryPage, redeliver, eventList],
  ...[keyList, newKeyForm, createKey, rotateKey, revokeKey, settingsPage, saveLogo],
];
