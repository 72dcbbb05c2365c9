/** A status of a message. A `stray` step is only a late callback; the message keeps its status. */
export interface Step {
  status: string;
  errorCode?: number;
  stray?: true;
}

export interface Plan {
  refuse?: { status: number; code: number; message: string };
  html?: true;
  hang?: true;
  steps: readonly Step[];
}

const DELIVERED: readonly Step[] = [{ status: 'sent' }, { status: 'delivered' }];

/** By the last four digits of the number. */
const PLANS: Record<string, Plan> = {
  '0001': {
    refuse: { status: 400, code: 21211, message: "The 'To' number is not a valid phone number." },
    steps: [],
  },
  '0002': { refuse: { status: 429, code: 20429, message: 'Too Many Requests' }, steps: [] },
  '0003': { hang: true, steps: DELIVERED },
  '0004': { html: true, steps: [] },
  '0005': {
    steps: [
      { status: 'delivered' },
      { status: 'sent', stray: true },
      { status: 'undelivered', errorCode: 63024, stray: true },
    ],
  },
  '0006': { steps: [{ status: 'failed', errorCode: 63018 }] },
  '0007': { steps: [...DELIVERED, { status: 'read' }] },
  '0008': { steps: [{ status: 'sent' }, { status: 'undelivered', errorCode: 63049 }] },
};

/** Accepted, and then not sent. */
export const OUTSIDE_WINDOW: Plan = { steps: [{ status: 'failed', errorCode: 63016 }] };

export function planFor(to: string): Plan {
  return PLANS[to.slice(-4)] ?? { steps: DELIVERED };
}
