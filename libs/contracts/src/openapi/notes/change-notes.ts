import type { FieldNotes } from './field-note.ts';

const changeId = {
  description: 'Id of the change. That of a status update is the id of the status update.',
  example: 5210,
};

/** Fields of changes (firm.md §3). */
export const changeNotes: FieldNotes = {
  PartnerChange: {
    description:
      'Something that happened to a case: a new status (`status_update`), or a case that cannot be monitored as planned (`monitoring`).',
  },
  ReviewedChange: { description: 'Whether a change is reviewed, by whom, and since when.' },
  Reviewer: { description: 'Who at your firm did this.' },
  NamedReviewer: { description: 'Who at your firm did this.' },
  NamedUser: { description: 'The user of a case, as lists show it.' },
  PartnerChangedMonitoring: {
    description: 'A monitoring state that needs attention: `not_found`, `rejected` or `overdue`.',
  },
  'PartnerChange.id': changeId,
  'ReviewedChange.id': changeId,
  'Reviewer.kind': { description: '`key`: an API key. `staff`: a staff member.', example: 'staff' },
  'Reviewer.id': { description: 'Id of the API key or of the staff member.', example: 12 },
  'NamedReviewer.kind': { description: '`key`: an API key. `staff`: a staff member.', example: 'staff' },
  'NamedReviewer.id': { description: 'Id of the API key or of the staff member.', example: 12 },
  'NamedReviewer.name': {
    description: 'Full name of the staff member, also after the removal; null for an API key.',
    example: 'Vera Vance',
  },
  'PartnerChange.at': { description: 'Time when Casewatch recorded the change, UTC.' },
  'PartnerChange.case': { description: 'The case.' },
  'PartnerChange.user': {
    description: 'The user that the case belongs to; null if your key does not have the scope `users:read`.',
  },
  'PartnerChange.status_update': {
    description: 'The status update; null if the change is one of monitoring.',
  },
  'PartnerChange.monitoring': {
    description: 'The monitoring state; null if the change is a status update.',
  },
  'PartnerChangedMonitoring.since': { description: 'Time when this state began, UTC.' },
  previous_status_code: {
    description: 'Title of the status before this one, as USCIS writes it; null if there is none.',
    example: 'Case Was Received',
  },
  urgent: {
    description:
      'Whether someone at your firm should look at it immediately: a denial, a rejection, a decision, an oath ceremony; evidence, an appeal or an interview if someone must act; a case that cannot be monitored as planned.',
    example: true,
  },
  already_open: {
    description:
      'True: the first status of a case, and it asks for an answer. Nobody was notified of it as news.',
    example: false,
  },
  Told: { description: 'Who was told of the change.' },
  told: { description: 'Who was told of the change.' },
  'Told.user': {
    description:
      'The user of the case, on each channel; null for a monitoring state, of which users are not told.',
  },
  'Told.staff': {
    description: 'The members of your staff who are told immediately, by their ids.',
  },
  ToldMember: { description: 'A member of your staff who is told of a change by e-mail.' },
  'ToldMember.name': { description: 'Full name of the member; null after the erasure.' },
  'ToldMember.status': {
    description:
      'How far the e-mail is. `sent`: the mail provider accepted it. `skipped`: it was not sent, for example because the change was in another e-mail or the member is away.',
  },
  ToldOfUpdate: { description: 'The members of your staff who are told of one status update.' },
  'ToldOfUpdate.status_update_id': { description: 'Id of the status update.', example: 5210 },
  'ToldOfUpdate.staff': { description: 'The members, by their ids.' },
  'Told.email': { description: 'The e-mail to the user.' },
  'Told.whatsapp': { description: 'The WhatsApp message to the user.' },
  reviewed_at: {
    description: 'Time when someone at your firm marked the change as reviewed, UTC; null if nobody did.',
    example: null,
  },
  reviewed_by: { description: 'Who marked it; null if nobody did.', example: null },
  changes: { description: 'The changes.' },
  ids: { description: 'Ids of changes: 1 to 100.', example: [5210, 5214] },
  reviewed: { description: 'True: reviewed. False: not reviewed.', example: true },
  'query.reviewed': {
    description: 'Only changes that are reviewed (`true`), or that nobody has reviewed yet (`false`).',
  },
};
