import { z } from 'zod';
import { language, userStatus } from '../fields.ts';
import { scope, staffRole } from '../principal.ts';
import * as acknowledgementResources from '../resources/acknowledgement.ts';
import * as alertsResources from '../resources/alerts.ts';
import * as apiKeyResources from '../resources/api-key.ts';
import * as caseResources from '../resources/case.ts';
import * as changeResources from '../resources/change.ts';
import * as clientResources from '../resources/client.ts';
import * as deliveryResources from '../resources/delivery.ts';
import { loginCodeGrant, refreshTokenGrant } from '../resources/grant.ts';
import * as importResources from '../resources/import.ts';
import * as problemResources from '../resources/problem.ts';
import * as replayResources from '../resources/replay-task.ts';
import * as serviceStatusResources from '../resources/service-status.ts';
import * as staffResources from '../resources/staff.ts';
import * as statisticsResources from '../resources/statistics.ts';
import * as statusResources from '../resources/status-update.ts';
import * as suppressionResources from '../resources/suppression.ts';
import * as userResources from '../resources/user.ts';
import * as webhookResources from '../resources/webhook.ts';
import { webhookEvent, webhookEventBodies } from '../webhook-events/bodies.ts';
import * as eventObjects from '../webhook-events/objects.ts';

/** Schemas that become components: the exports of the resources, and shared enumerations. */
export const namedSchemas: ReadonlyMap<z.ZodType, string> = new Map(
  Object.entries({
    ...acknowledgementResources,
    ...alertsResources,
    ...apiKeyResources,
    ...caseResources,
    ...changeResources,
    ...clientResources,
    ...deliveryResources,
    ...importResources,
    ...replayResources,
    ...problemResources,
    ...serviceStatusResources,
    ...staffResources,
    ...statisticsResources,
    ...statusResources,
    ...suppressionResources,
    ...userResources,
    ...webhookResources,
    ...eventObjects,
    ...eventBodies(),
    loginCodeGrant,
    refreshTokenGrant,
    webhookEvent,
    language,
    scope,
    staffRole,
    userStatus,
  }).flatMap(([name, value]) => (value instanceof z.ZodType ? [[value, pascalCase(name)] as const] : [])),
);

/** `case.status_updated` becomes `CaseStatusUpdatedEvent`. */
function eventBodies(): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(webhookEventBodies).map(([type, body]) => [`${pascalCase(type)}Event`, body]),
  );
}

/** `create_case` becomes `CreateCase`. */
export function pascalCase(name: string): string {
  return name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
