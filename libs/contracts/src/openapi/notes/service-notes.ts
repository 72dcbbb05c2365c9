import type { FieldNotes } from './field-note.ts';

/** Fields of the service's own status. */
export const serviceNotes: FieldNotes = {
  UpstreamState: {
    description:
      'State of the USCIS service: `open`, `closed` (outside its known hours), or `unreachable` (it does not respond, or we cannot ask it at the moment).',
  },
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
  needed_per_day: { description: 'Checks per day that the monitored receipts need.', example: 5_200 },
  available_per_day: {
    description: 'Checks per day that the quota allows for the monitored receipts.',
    example: 8_500,
  },
  stretch: {
    description: 'Factor by which the intervals between checks are extended; 1: not extended.',
    example: 1,
  },
  room: {
    description: 'Number of receipts that can be added before intervals are extended.',
    example: 3_100,
  },
  by_class: { description: 'Needed checks by schedule class.' },
  class: { description: 'Schedule class: how often its receipts are checked.', example: 'normal' },
  receipts: { description: 'Number of receipts in this class.', example: 4_000 },
  as_of: { description: 'Time of this information, UTC.' },
};
