import { defineService } from '@casewatch/platform';
import { answerActive, answerCases, answerCount, answerStaffFacts, answerState } from './answers/answers.ts';
import { changePartnerCases } from './cases/change-cases.ts';
import { createCase, createPartnerCase } from './cases/create-case.ts';
import { deleteCase, deletePartnerCase } from './cases/delete-case.ts';
import { onPartnerDeleted } from './cases/erased-partner.ts';
import { getCase, getPartnerCase, listAcknowledgements } from './cases/get-case.ts';
import { onErasureRecorded, onUserChanged, onUserDeleted } from './cases/people.ts';
import { onStaffDeleted } from './cases/removed-staff.ts';
import { updateCase, updatePartnerCase } from './cases/update-case.ts';
import { listChanges } from './changes/list-changes.ts';
import { reviewChanges } from './changes/review-changes.ts';
import { check } from './checks/check.ts';
import { getStatus } from './checks/get-status.ts';
import { casesConfig } from './config.ts';
import { createContext, inBackground } from './context.ts';
import { listCases, listPartnerCases } from './lists/list-cases.ts';
import { database } from './store/stores.ts';
import { onCheckOverdue, onMonitoringChanged, onStatusChecked } from './updates/monitoring.ts';
import { onNotificationUpdated } from './updates/notification-updated.ts';
import { onStatusTouched } from './updates/status-touched.ts';
import { onStatusUpdated } from './updates/status-updated.ts';

export const cases = defineService({
  name: 'cases',
  config: casesConfig,
  database,
  context: createContext,
  inBackground,
  http: {
    create_partner_case: createPartnerCase,
    update_case: updateCase,
    list_partner_cases: listPartnerCases,
    get_partner_case: getPartnerCase,
    update_partner_case: updatePartnerCase,
    delete_partner_case: deletePartnerCase,
    change_partner_cases: changePartnerCases,
    list_acknowledgements: listAcknowledgements,
    list_cases: listCases,
    create_case: createCase,
    get_case: getCase,
    delete_case: deleteCase,
    list_changes: listChanges,
    review_changes: reviewChanges,
    check,
    get_status: getStatus,
  },
  requests: {
    'cases.active': answerActive,
    'cases.cases': answerCases,
    'cases.count': answerCount,
    'cases.of_staff': answerStaffFacts,
    'cases.state': answerState,
  },
  events: {
    'status.updated': onStatusUpdated,
    'status.touched': onStatusTouched,
    'status.monitoring_changed': onMonitoringChanged,
    'status.check_overdue': onCheckOverdue,
    'status.checked': onStatusChecked,
    'notification.updated': onNotificationUpdated,
    'user.created': onUserChanged,
    'user.updated': onUserChanged,
    'user.email_verified': onUserChanged,
    'user.deleted': onUserDeleted,
    'erasure.recorded': onErasureRecorded,
    'staff.deleted': onStaffDeleted,
    'partner.deleted': onPartnerDeleted,
  },
  loops: [],
});
