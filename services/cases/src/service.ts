import type { EventData } from '@casewatch/contracts';
import { defineService } from '@casewatch/platform';
import {
  answerActive,
  answerCases,
  answerCount,
  answerDue,
  answerStaffFacts,
  answerState,
} from './answers/answers.ts';
import { answerFirms, answerMorning } from './answers/morning.ts';
import { changePartnerCases } from './cases/change-cases.ts';
import { createCase, createPartnerCase } from './cases/create-case.ts';
import { deleteCase, deletePartnerCase } from './cases/delete-case.ts';
import { onPartnerDeleted } from './cases/erased-partner.ts';
import { getCase, getPartnerCase, listAcknowledgements } from './cases/get-case.ts';
import { onErasureRecorded, onUserChanged, onUserDeleted } from './cases/people.ts';
import { onStaffDeleted } from './cases/removed-staff.ts';
import { updateCase, updatePartnerCase } from './cases/update-case.ts';
import { exportChanges, listChanges } from './changes/list-changes.ts';
import { reviewChanges } from './changes/review-changes.ts';
import { check } from './checks/check.ts';
import { getStatus } from './checks/get-status.ts';
import { casesConfig } from './config.ts';
import { type Context, createContext, inBackground } from './context.ts';
import {
  cancelImport,
  checkImport,
  createImport,
  exportRefusedRows,
  getImport,
  listImportRows,
  listImports,
  ownRefusedRows,
  runImports,
  sendImportVerifications,
} from './imports/index.ts';
import { exportCases } from './lists/export-cases.ts';
import { listCases, listPartnerCases } from './lists/list-cases.ts';
import { database } from './store/stores.ts';
import { onAlertUpdated } from './updates/alert-updated.ts';
import { onCheckOverdue, onMonitoringChanged, onStatusChecked } from './updates/monitoring.ts';
import { onNotificationUpdated } from './updates/notification-updated.ts';
import { onStatusTouched } from './updates/status-touched.ts';
import { onStatusUpdated } from './updates/status-updated.ts';

/** Their cases first. */
function onUser(ctx: Context) {
  const [change, own] = [onUserChanged(ctx), ownRefusedRows(ctx)];
  return async (event: EventData<'user.updated'>): Promise<void> => {
    await change(event);
    await own(event);
  };
}

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
    export_cases: exportCases,
    export_refused_rows: exportRefusedRows,
    export_changes: exportChanges,
    review_changes: reviewChanges,
    create_import: createImport,
    check_import: checkImport,
    list_imports: listImports,
    get_import: getImport,
    list_import_rows: listImportRows,
    send_import_verifications: sendImportVerifications,
    cancel_import: cancelImport,
    check,
    get_status: getStatus,
  },
  requests: {
    'cases.active': answerActive,
    'cases.cases': answerCases,
    'cases.count': answerCount,
    'cases.due': answerDue,
    'cases.morning': answerMorning,
    'cases.firms': answerFirms,
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
    'alert.updated': onAlertUpdated,
    'user.created': onUser,
    'user.updated': onUser,
    'user.email_verified': onUser,
    'user.deleted': onUserDeleted,
    'erasure.recorded': onErasureRecorded,
    'staff.deleted': onStaffDeleted,
    'partner.deleted': onPartnerDeleted,
  },
  loops: [runImports],
});
