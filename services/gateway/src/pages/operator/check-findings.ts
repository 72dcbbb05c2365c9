import { counted, type Finding } from './finding.ts';
import type { Checks, MonitorState, SystemState } from './system-state.ts';

/** What is wrong with the checks at USCIS. */
export function checkFindings({ checks, services: { monitor } }: SystemState): Finding[] {
  return [...(checks ? statusFindings(checks) : []), ...(monitor ? monitorFindings(monitor) : [])];
}

function statusFindings(checks: Checks): Finding[] {
  const { paused, sending, upstream, accepts_new_cases, overdue_receipts: overdue } = checks;
  const findings: Finding[] = [];
  if (paused)
    findings.push({
      tone: 'warn',
      text: 'An operator has paused the checks.',
      command: 'npm run admin -- monitor resume',
    });
  else if (!sending)
    findings.push({
      tone: 'bad',
      text: 'No replica of the monitor sends checks.',
      runbook: 'NoLeaseHolder',
    });
  else if (upstream === 'unreachable')
    findings.push({ tone: 'bad', text: 'USCIS does not answer.', runbook: 'UscisNoAnswers' });
  if (!accepts_new_cases)
    findings.push({ tone: 'bad', text: 'New cases are refused: the planned interval is too long.' });
  if (overdue)
    findings.push({
      tone: 'warn',
      text: `${counted(overdue, 'receipt')} without a recent check.`,
      runbook: 'ReceiptsOverdue',
    });
  return findings;
}

function monitorFindings({ breaker, held_receipts: held, lanes }: MonitorState): Finding[] {
  const findings: Finding[] = [];
  if (breaker === 'open')
    findings.push({
      tone: 'bad',
      text: 'The circuit breaker to USCIS is open.',
      runbook: 'UscisBreakerOpen',
      command: 'npm run admin -- monitor status',
    });
  if (held > 0)
    findings.push({
      tone: 'bad',
      text: `${counted(held, 'changed receipt')} wait for the decision of an operator.`,
      runbook: 'UpdatesHeld',
      command: 'npm run admin -- monitor release',
    });
  for (const { lane, left } of lanes)
    if (left === 0)
      findings.push({
        tone: 'warn',
        text: `The quota of ${lane} checks is used up for today.`,
        runbook: 'QuotaUsed',
      });
  return findings;
}
