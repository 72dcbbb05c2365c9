import { html, type Markup } from '@casewatch/platform';
import { notice } from '../parts/pill.ts';
import { checkFindings } from './check-findings.ts';
import type { Finding } from './finding.ts';
import { sendingFindings } from './sending-findings.ts';
import { serviceFindings } from './service-findings.ts';
import type { SystemState } from './system-state.ts';

/** Everything that is wrong; first what cannot wait. */
export function findingsOf(state: SystemState): Finding[] {
  const services = Object.entries(state.services).flatMap(([name, part]) => serviceFindings(name, part));
  const findings = [...services, ...checkFindings(state), ...sendingFindings(state)];
  return findings.toSorted((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'));
}

export function findingList(findings: readonly Finding[]): Markup {
  if (findings.length === 0) return notice('good', 'Nothing is wrong.');
  return html`${findings.map(({ tone, text, runbook, command }) => {
    const help = [
      command === undefined ? null : html`<code>${command}</code>`,
      runbook === undefined ? null : html`docs/runbooks.md, ${runbook}`,
    ];
    return notice(
      tone,
      html`<b>${text}</b>${help.map((line) => line && html`<span class="under">${line}</span>`)}`,
    );
  })}`;
}
