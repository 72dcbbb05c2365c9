import type { FieldNote, FieldNotes } from './field-note.ts';

const updateId = { description: 'Id of the status update.', example: 5210 };
const visibleUser = {
  description: 'The user that the case belongs to; null if your key does not have the scope `users:read`.',
};
const monitoringSince = { description: 'Time when this state began, UTC.' };

/** Fields of cases and status updates (interface.md §3). */
export const caseNotes: FieldNotes = {
  CaseSummary: { description: 'A receipt number that is monitored for one user.' },
  CreatedCase: { description: 'A new case with all its fields.' },
  ListedCase: { description: 'A case, as returned by lists under /v1/client.' },
  ChangedCase: { description: 'The case of a change.' },
  UpdatedCase: { description: 'A case, as returned by PUT under /v1/client.' },
  'ListedCase.user': visibleUser,
  reference: {
    description: 'Number of the matter at your firm, in your own words; null if there is none.',
    example: '2024-118',
  },
  'query.reference': { description: 'Only the cases of this matter: the whole `reference`.' },
  RespondBy: {
    description:
      'The day by which USCIS must receive an answer. `estimate`: the latest possible day, counted from the words of USCIS; the notice may give less time. `notice`: what your firm read in the notice.',
  },
  'RespondBy.date': { description: 'The day, as the calendar has it.', example: '2027-01-25' },
  'RespondBy.source': { description: 'Where the day comes from.', example: 'estimate' },
  respond_by: {
    description: 'The day for an answer; null if no answer is due, or the day is not certain.',
  },
  'UpdatePartnerCase.respond_by': {
    description:
      'The day for an answer that the notice of USCIS names; null to go back to our estimate. Between 90 days ago and 366 days from now.',
    example: '2027-01-04',
  },
  respond_done: {
    description: 'When your firm said that the answer is sent, and who said it; null if it did not.',
  },
  'UpdatePartnerCase.respond_done': {
    description: 'True: the answer is sent. False: it is not.',
    example: true,
  },
  'UpdatePartnerCase.status_update_id': {
    description:
      'Id of the `latest_update` that you have seen. If the case has another one since, nothing is changed, and the answer is 409 `status_changed`.',
    example: 8817,
  },
  'RespondDone.at': { description: 'When it was said, UTC.' },
  'PartnerRespondDone.at': { description: 'When it was said, UTC.' },
  'query.respond_before': {
    description: 'Only cases whose answer is due before this day, and is not done.',
    example: '2027-01-04',
  },
  'query.assignee_id': { description: 'Only cases on which this staff member works.' },
  'query.q': {
    description:
      'Only cases that have words that begin so: in the receipt number, the `user_case_id`, the `reference` and the description, or in the name and the e-mail address of the user. `silva ana` finds Ana Silva, `2024-1` the reference 2024-118. Upper and lower case and accents make no difference. At most 200 are found.',
    example: 'silva ana',
  },
  type_more: {
    description: 'True: the search found more than 200, and the others are not returned. Send more letters.',
    example: false,
  },
  BulkAction: {
    description:
      '`assign` needs `assignee_id`. `review` marks all changes of the case as reviewed. `check` asks USCIS unless the status is less than five minutes old.',
  },
  BulkResult: { description: 'What became of one case.' },
  case_refs: {
    description: 'Ids or `user_case_id`s of cases: 1 to 100, each case once.',
    example: ['FLOW0001042', 'FLOW0001043'],
  },
  action: { description: 'What to do to each case.', example: 'pause' },
  assignee_id: { description: 'Id of the staff member who works on the case; null for nobody.', example: 12 },
  results: { description: 'What became of each case, in the order of `case_refs`.' },
  'BulkResult.case_ref': { description: 'The case, as you named it.', example: 'FLOW0001042' },
  'BulkResult.outcome': {
    description: '`done`, `unchanged` (it was so before), or `refused`.',
    example: 'done',
  },
  'BulkResult.code': { description: 'Error code of a refusal; otherwise null.', example: null },
  'BulkResult.message': { description: 'Why it was refused; otherwise null.', example: null },
  PartnerCaseWithUser: { description: 'A case with its user, as returned by GET under /v1/client.' },
  CaseWithUser: { description: 'A case with its user, as returned by GET.' },
  CheckedStatus: { description: 'The status that USCIS shows for a receipt number.' },
  Monitoring: {
    description:
      'Monitoring status of the case: its state, when the state began, and when the case is checked next.',
  },
  PartnerMonitoring: { description: 'Monitoring status of the case, as returned by GET under /v1/client.' },
  StatusUpdate: {
    description: 'A status that USCIS showed at one moment, and the state of the notifications about it.',
  },
  PartnerStatusUpdate: { description: 'A status update, as returned by GET under /v1/client.' },
  LatestUpdate: { description: 'A status update without the state of its notifications.' },
  PartnerLatestUpdate: {
    description:
      'A status update without the state of its notifications, as returned by GET under /v1/client.',
  },
  HistoryEntry: { description: 'One earlier status from the case history of USCIS.' },
  NotifyStatus: { description: 'State of the notification on one channel.' },
  SpanishSource: {
    description:
      '`uscis`: USCIS. `casewatch`: our status table, because USCIS served no Spanish text or only a part.',
  },
  UpdateKind: {
    description:
      '`baseline`: the status when the case was created. `flap`: a status that came back within a day. Users are notified of it as a correction after a second check.',
  },
  ChangedPart: {
    description:
      '`title`, `text`: USCIS changed the wording; typography does not count. `history`: entries of the case history were added or removed. `date`: `submitted_date` changed.',
  },
  MonitoringState: { description: 'How the case is monitored at the moment.' },
  'LatestUpdate.id': updateId,
  'PartnerLatestUpdate.id': updateId,
  'StatusUpdate.id': updateId,
  'PartnerStatusUpdate.id': updateId,
  'query.active': { description: 'Only cases, or endpoints, that are active (`true`) or paused (`false`).' },
  'query.category': {
    description: 'Only cases whose latest status has this category, or one of several, separated by commas.',
    example: 'denied,evidence',
  },
  'query.changed_since': { description: 'Only cases whose status changed at or after this time.' },
  total: {
    description:
      'Number of cases that match the filters, at most 10,000. Null: these filters cannot be counted.',
  },
  total_is_exact: { description: 'False: there are more, or they were not counted.' },
  'query.monitoring': {
    description: 'Only cases in this monitoring state, for example `overdue` or `rejected`.',
  },
  'query.urgent': {
    description:
      'Only what is urgent (`true`) or not (`false`). A status is urgent if it is a denial, a rejection, a decision or an oath ceremony, or if it is of evidence, an appeal or an interview and someone must act.',
  },
  'query.receipt_number': { description: 'Only the cases with this receipt number.' },
  'query.updates_cursor': {
    description: '`updates_cursor` of the previous response, to read older status updates.',
  },
  case_ref: { description: 'Id of the case, or its `user_case_id`.', example: 'FLOW0001042' },
  user_case_id: { description: 'Reference that users see: FLOW followed by the id.', example: 'FLOW0001042' },
  receipt_number: {
    description:
      'USCIS receipt number: three letters and ten digits. Spaces, dashes, lower case letters and a label before it are accepted.',
    example: 'EAC9999103403',
  },
  description: {
    description: 'Your own note. One line.',
    example: 'I-130 of the Silva family',
  },
  active: {
    description: 'True: the case is monitored, or the endpoint receives events. False: paused.',
  },
  category: {
    description: 'Category of the status. `unknown` for a status that is not in our table.',
    example: 'received',
  },
  last_checked: { description: 'Time of the last check with USCIS, UTC.' },
  update_count: { description: 'Number of status updates.', example: 1 },
  updates_cursor: {
    description: 'Send it as `updates_cursor` to read older status updates; null if there are none.',
    example: null,
  },
  latest_update: { description: 'The newest status update, without the state of its notifications.' },
  status_updates: { description: 'Status updates, newest first.' },
  history: { description: 'Earlier statuses from the case history of USCIS.' },
  user: { description: 'The user.' },
  'CaseWithUser.user': visibleUser,
  'CreatedCase.user': visibleUser,
  'PartnerCaseWithUser.user': visibleUser,
  'Monitoring.since': monitoringSince,
  'PartnerMonitoring.since': monitoringSince,
  uscis_access_acknowledged: {
    description: 'Must be true. Send it only if the user or their counsel has authorized access to the case.',
  },
  uscis_access_acknowledged_at: { description: 'Time of the acknowledgement, UTC.' },
  Acknowledgement: {
    description: 'A statement that the user or their counsel has authorized access to the case.',
  },
  acknowledgements: { description: 'The statements, oldest first.' },
  'Acknowledgement.version': { description: 'Version of the acknowledged text.', example: '2026-11' },
  acknowledged_at: { description: 'Time of the acknowledgement, UTC.' },
  acknowledged_by: {
    description: '`partner`: an API key or a staff member of the partner. `user`: the person.',
    example: 'partner',
  },
  'Acknowledgement.key_id': {
    description: 'Id of the API key; null if the user or a staff member acknowledged.',
    example: 12,
  },
  'Acknowledgement.staff_member': {
    description:
      'The staff member who acknowledged, also after the removal; null if it was the user or an API key.',
  },
  uscis_access_ack_version: { description: 'Version of the acknowledged text.', example: '2026-11' },
  first_check: {
    description:
      '`now`: the response waits for the first check with USCIS. `deferred`: the response does not wait.',
  },
  max_age: {
    description: 'Maximum age in seconds of a stored status that may be returned instead of asking USCIS.',
  },
  checked_at: { description: 'Time when USCIS showed this status, UTC.' },
  monitoring: { description: 'Monitoring status of the case.' },
  next_check_at: { description: 'Time of the next check, UTC; null if none is planned.' },
  state: { description: 'Monitoring state.', example: 'watched' },

  case: { description: 'The case.' },
  cases: { description: 'The cases of this page.' },
  users: { description: 'The users of this page.' },
  source: {
    description:
      '`live`: the status comes from a check with USCIS for this request. `cache`: a stored status, at most `max_age` seconds old.',
  },
  ...ofEach(
    ['CheckedStatus', 'LatestUpdate', 'PartnerLatestUpdate', 'StatusUpdate', 'PartnerStatusUpdate'],
    'changes',
    {
      description:
        'What changed since the previous status update. Empty for the first status of a case, for a translation, and for status updates that were stored before this field existed.',
      example: ['title', 'text'],
    },
  ),
  touched_at: {
    description:
      'Time when USCIS last moved `modified_date` without any other change, UTC; null if it did not. This is not a status update and sends no event.',
    example: null,
  },
  new_history: {
    description:
      'The new entries of `history`, oldest first, without entries that repeat a status that was already shown.',
  },
  kind: { description: 'Kind of change.', example: 'status' },
  status_code: { description: 'Title of the status, as USCIS writes it.', example: 'Case Was Received' },
  status_code_es: { description: 'The title in Spanish.', example: 'Caso fue recibido' },
  status_code_pt: { description: 'The title in Portuguese.', example: 'O caso foi recebido' },
  status_description: {
    description: 'Text of the status, as USCIS writes it, without markup.',
    example: 'We received your Form I-130.',
  },
  status_description_es: { description: 'The text in Spanish.', example: 'Recibimos su Formulario I-130.' },
  status_description_pt: { description: 'The text in Portuguese.', example: null },
  status_slug: {
    description: 'Stable name of the status for programs. `unknown` for a status that is not in our table.',
    example: 'case-was-received',
  },
  detail_message: {
    description:
      "Explanation of the status in the user's language, and what the user should do. If a response is due, it contains our estimate of the deadline. Lists contain English texts while the languages of the users are unavailable.",
    example: 'O governo recebeu o pedido.',
  },
  form_type: { description: 'USCIS form of the case.', example: 'I-130' },
  submitted_date: { description: 'Date of submission according to USCIS, UTC.' },
  modified_date: { description: 'Date of the last change by USCIS, UTC.' },
  timestamp: { description: 'Time when Casewatch first saw the status, UTC.' },
  date: { description: 'Date, `YYYY-MM-DD`.', example: '2026-11-20' },
  spanish_source: {
    description:
      'Who wrote the Spanish title and text: USCIS, or Casewatch from its status table. Null if this is not known.',
    example: 'uscis',
  },
  notified: { description: '1 if a notification was sent, otherwise 0.', example: 0 },
  email_notify_status: { description: 'State of the e-mail.', example: 'skipped' },
  whatsapp_notify_status: { description: 'State of the WhatsApp message.', example: 'skipped' },
  email_notify_attempts: { description: 'Number of attempts to send the e-mail.', example: 0 },
  whatsapp_notify_attempts: { description: 'Number of attempts to send the WhatsApp message.', example: 0 },
  email_notify_last_error: {
    description:
      'Error of the last failed e-mail, or why it was skipped, as `code: sentence`, for example `smtp_550: 5.1.1 the mailbox does not exist`; null if there is none. The sentence is ours. It never quotes the mail server, so it has no address and no name.',
    example: null,
  },
  whatsapp_notify_last_error: {
    description:
      'The same for the WhatsApp message, for example `twilio_63024: the recipient is not on WhatsApp`. It never quotes Twilio.',
    example: null,
  },
  email_notify_sent_at: { description: 'Time when the e-mail was sent, UTC, or null.' },
  whatsapp_notify_sent_at: { description: 'Time when the WhatsApp message was sent, UTC, or null.' },

  import_id: { description: 'Id of the import.', example: 21 },
  'query.dry_run': {
    description: 'True: nothing is written, and the outcomes are those that the import would have.',
  },
  dry_run: {
    description: 'Whether the import writes nothing and only says what it would do.',
    example: false,
  },
  'query.send_verification': {
    description:
      'True: new people get an e-mail to verify their address, at most 200 an hour. Without it you send it later.',
  },
  'query.outcome': { description: 'Only rows with this outcome.' },
  CaseImport: {
    description:
      'An import. `rows` is the sum of `waiting`, `created`, `updated`, `unchanged` and `refused`.',
  },
  rows: { description: 'The rows of an import, or how many there are.' },
  waiting: {
    description:
      'Rows for which nothing is decided yet; of a cancelled import, those that are never imported.',
  },
  created: { description: 'Rows that made a case.' },
  updated: { description: 'Rows that changed a case, or filled in something that its person lacked.' },
  unchanged: { description: 'Rows whose person and case are there already as the row says.' },
  refused: { description: 'Rows of which nothing was imported.' },
  finished_at: {
    description:
      'Time from which nothing of the import changes, UTC. Null while rows are imported, also those that were begun when it was cancelled.',
  },
  outcome: { description: 'What became of the row.' },
  ImportEnd: { description: 'What is left to do after an import.' },
  cases_asking: { description: 'Cases of the import whose status asks for an answer that nobody has given.' },
  people_unverified: {
    description: 'People of the import who have not verified their address: they get no messages yet.',
  },
  people_without_mail: {
    description: 'Those of them who got no e-mail to verify it since the import began.',
  },
  sent: { description: 'How many e-mails were sent now.', example: 200 },
  left: { description: 'How many people still have no e-mail.', example: 140 },
  next_at: {
    description:
      'Time when the next e-mail may be sent, UTC; null if none is held back by the limit of an hour.',
  },
  'query.columns': {
    description:
      'For each header of the file in turn the column that it is, separated by commas, nothing for one that is not read. Without it, headers are known by their names in English, Spanish and Portuguese. `uscis_access_acknowledged` cannot be chosen: the file itself names it.',
  },
  'CheckedFile.headers': {
    description: 'The headers of the file, and the columns that they are; null: not read.',
  },
  problem: { description: 'Why the file as a whole cannot be imported; null if it can.' },
  fault_count: { description: 'How many cells have a fault.' },
  faults: { description: 'The first 100 faults.' },
  'CheckedFile.receipts': { description: 'Receipt numbers in a text that has no headers.' },
  acknowledgement_version: {
    description: 'Version of the text that `uscis_access_acknowledged` acknowledges.',
    example: '2026-11',
  },
};

function ofEach(components: readonly string[], field: string, note: FieldNote): FieldNotes {
  return Object.fromEntries(components.map((component) => [`${component}.${field}`, note]));
}
