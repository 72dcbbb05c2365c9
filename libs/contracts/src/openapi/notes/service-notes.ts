import type { FieldNotes } from './field-note.ts';

/** Fields of the service's own status. */
export const serviceNotes: FieldNotes = {
  UpstreamState: {
    description:
      'State of the USCIS service: `open`, `closed` (outside its known hours), or `unreachable` (it does not respond, or we cannot send requests at the moment).',
  },
  provider: { description: 'The mail provider that calls.', example: 'sendgrid' },
  upstream: { description: 'State of the USCIS service.', example: 'open' },
  checking: { description: 'Whether due receipts are being checked now.', example: true },
  Freshness: { description: 'Time since the last successful check, over all monitored receipts.' },
  freshness: { description: 'Time since the last successful check; null before the first checks.' },
  p50_seconds: {
    description: 'Half of the receipts were checked within this many seconds.',
    example: 32_400,
  },
  p95_seconds: {
    description: '95 % of the receipts were checked within this many seconds.',
    example: 82_800,
  },
  overdue_receipts: {
    description:
      'Number of monitored receipts without a successful check for three of their intervals and for 48 hours; null before the first count.',
    example: 0,
  },
  Capacity: {
    description: 'Checks per day that are needed, and checks per day that the USCIS quota allows.',
  },
  capacity: { description: 'Needed checks and quota; null before the first count.' },
  needed_per_day: {
    description: 'Checks per day that are planned for the monitored receipts.',
    example: 5_200,
  },
  available_per_day: {
    description: 'Checks per day that the quota allows for the monitored receipts.',
    example: 8_500,
  },
  stretch: {
    description:
      'Planned median interval between two checks, in days, at least 1. Use `planned_interval` instead.',
    example: 1,
  },
  room: {
    description:
      'Number of receipts that can be added, with the same mix of statuses, before the planned median interval is too long and new cases are refused.',
    example: 3_100,
  },
  used_today: { description: 'Requests to USCIS that were counted in this quota day.', example: 6_400 },
  planned_interval: {
    description: 'Planned time between two checks of a receipt; null while no receipt is monitored.',
  },
  real_interval: {
    description: 'Time between two checks of a receipt at present; null while no receipt is monitored.',
  },
  by_class: { description: 'Planned checks by schedule class.' },
  class: {
    description:
      'Schedule class. `fast`, `medium`, `slow` and `very_slow`: how often the status of these receipts changes; `first_check`: waits for the first check; `retry`: the last answer could not be recorded; `fixed`: not found.',
    example: 'medium',
  },
  receipts: { description: 'Number of receipts in this class.', example: 4_000 },
  as_of: { description: 'Time of this report, UTC.' },
};
