import type { FieldNotes } from './field-note.ts';

/** Fields of the service's own status. */
export const serviceNotes: FieldNotes = {
  UpstreamState: {
    description:
      "The government's service: open, closed (its known hours), or unreachable (it does not answer, or nobody can ask it now).",
  },
  upstream: { description: "How the government's service stands.", example: 'open' },
  checking: { description: 'Whether due receipts are checked at this time.', example: true },
  Freshness: { description: 'Age of the last successful check of the receipts that are watched.' },
  freshness: { description: 'How fresh our knowledge is; null before the first checks.' },
  p50_seconds: { description: 'Half of the receipts were checked within this.', example: 32_400 },
  p95_seconds: { description: '95 % of the receipts were checked within this.', example: 82_800 },
  overdue_receipts: {
    description:
      'Watched receipts that were not checked for three of their intervals, at least 48 hours; null before the first count.',
    example: 0,
  },
  Capacity: { description: "Checks a day that are needed, against what the government's quota allows." },
  capacity: { description: 'Need against quota; null before the first count.' },
  needed_per_day: { description: 'Checks a day that the watched receipts need.', example: 5_200 },
  available_per_day: { description: 'Checks a day that the quota allows for them.', example: 8_500 },
  stretch: {
    description: 'Factor by which intervals between checks are stretched; 1 is as designed.',
    example: 1,
  },
  room: { description: 'Receipts that can be added before intervals are stretched.', example: 3_100 },
  by_class: { description: 'The same by class of schedule.' },
  class: { description: 'How often these are looked at.', example: 'normal' },
  receipts: { description: 'Receipts in this class.', example: 4_000 },
  as_of: { description: 'When this was known, UTC.' },
};
