/** One row of the stand-in's ledger. */
export type LedgerRow = {
  time: string;
  receipt: string;
  status: number;
  fault: string | null;
  monotonic_ms: number;
  token: number | null;
};

/** `body` is sent byte for byte. */
export type Verbatim = { status?: number; headers?: Record<string, string>; body: string };

export type Government = {
  /** Serves this for a receipt from now on. */
  set(receipt: string, served: Record<string, unknown>): Promise<void>;
  remove(receipt: string): Promise<void>;
  fault(fault: Record<string, unknown>): Promise<void>;
  limits(limits: Record<string, unknown>): Promise<void>;
  /** How the token endpoint answers from now on; what is left out is as new. */
  tokens(settings: Record<string, unknown>): Promise<void>;
  /** Answers a receipt word for word from now on; null: as before. */
  answer(receipt: string, answer: Verbatim | null): Promise<void>;
  /** The same for the token. */
  answerToken(answer: Verbatim | null): Promise<void>;
  ledger(receipt?: string): Promise<LedgerRow[]>;
  tokenRequests(): Promise<{ time: string; status: number }[]>;
};

/** The control interface of the government's stand-in (design: development.md). */
export function createGovernment(url: string): Government {
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const init = { method, headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`${url}/sandbox${path}`, {
      ...init,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} /sandbox${path} answered ${answer.status}`);
    return answer;
  }
  return {
    set: async (receipt, served) => void (await call('PUT', `/receipts/${receipt}`, served)),
    remove: async (receipt) => void (await call('DELETE', `/receipts/${receipt}`)),
    fault: async (fault) => void (await call('PUT', '/faults', fault)),
    limits: async (limits) => void (await call('PUT', '/limits', limits)),
    tokens: async (settings) => void (await call('PUT', '/tokens', settings)),
    answer: async (receipt, answer) => void (await call('PUT', `/receipts/${receipt}/answer`, answer)),
    answerToken: async (answer) => void (await call('PUT', '/token/answer', answer)),
    async tokenRequests() {
      return (await (await call('GET', '/tokens')).json()) as { time: string; status: number }[];
    },
    async ledger(receipt) {
      const answer = await call('GET', `/requests${receipt ? `?receipt=${receipt}` : ''}`);
      return (await answer.json()) as LedgerRow[];
    },
  };
}

/** What the stand-in serves for an ordinary case of this title. */
export function served(title: string, description = `${title}.`): Record<string, unknown> {
  return {
    form_type: 'I-130',
    submitted_date: '09-05-2023 14:28:12',
    modified_date: '10-05-2023 08:00:00',
    text_en: title,
    desc_en: description,
    text_es: `${title} (es)`,
    desc_es: `${description} (es)`,
  };
}

/** `case_status` of an unknown receipt, as the sandbox answered it: every field empty. */
export const emptyCase = {
  receiptNumber: '',
  formType: '',
  submittedDate: '',
  modifiedDate: '',
  current_case_status_text_en: '',
  current_case_status_text_es: '',
  current_case_status_desc_en: '',
  current_case_status_desc_es: '',
  hist_case_status: null,
};

/** A 200 with this `case_status`, word for word. */
export function answerOf(case_status: unknown): Verbatim {
  const headers = { 'content-type': 'application/json' };
  return { headers, body: JSON.stringify({ case_status, message: 'Query was successful' }) };
}
