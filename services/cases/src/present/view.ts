import type { Language, toIso } from '@casewatch/contracts';

/** How a reader sees times: `toIso`, or `toPartnerTime` in GET under /v1/client. */
export type TimeFormat = typeof toIso;

/** How a reader sees an object. */
export type View = { language: Language; time: TimeFormat };
