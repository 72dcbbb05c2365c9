import { html, type Markup } from '@casewatch/platform';
import { documentOf } from '../layout.ts';
import { pageHead, section } from '../parts/page-head.ts';
import { pill, type Tone } from '../parts/pill.ts';
import { createTimes } from '../parts/time.ts';
import { checkSections } from './check-sections.ts';
import { commands } from './commands.ts';
import { counted } from './finding.ts';
import { findingList, findingsOf } from './findings.ts';
import { sendingSections } from './sending-sections.ts';
import { serviceSections } from './service-sections.ts';
import type { Checks, SystemState } from './system-state.ts';

const upstream: Readonly<Record<Checks['upstream'], [Tone, string]>> = {
  open: ['good', 'USCIS answers'],
  closed: ['idle', 'USCIS is closed now'],
  unreachable: ['bad', 'USCIS does not answer'],
};

type Options = {
  readonly now: Date;
  /** Address of the trace viewer. */
  readonly tracesUrl: string | undefined;
};

/** The state of the whole system; what is wrong stands first. */
export function operatorPage(state: SystemState, { now, tracesUrl }: Options): string {
  const times = createTimes({ now, zone: 'UTC', language: 'en' });
  const findings = findingsOf(state);
  const summary =
    findings.length === 0 ? pill('good', 'All is well') : pill('bad', counted(findings.length, 'finding'));
  const body = html`<main id="content" tabindex="-1">
${pageHead({ title: 'Casewatch', sub: html`State of ${times.exact(now.toISOString())}`, aside: html`${summary}${state.checks && pill(...upstream[state.checks.upstream])}${links(tracesUrl)}` })}
${findingList(findings)}
${checkSections(state, times)}
${serviceSections(state, times)}
${sendingSections(state, times)}
${section('Commands', commands())}
</main>`;
  return documentOf({ language: 'en', title: 'Operator · Casewatch', body });
}

function links(tracesUrl: string | undefined): Markup {
  return html`${tracesUrl !== undefined && html`<a class="button" href="${tracesUrl}">Traces and logs</a>`}<a class="button" href="/">Look again</a>`;
}
