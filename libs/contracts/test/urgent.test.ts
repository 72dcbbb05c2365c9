import { globSync, readFileSync } from 'node:fs';
import {
  asksForAnswer,
  isUrgent,
  isUrgentMonitoring,
  knownStatuses,
  monitoringState,
} from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

describe('the one rule of what is urgent', () => {
  it.each([
    ['Case Was Denied', 'denied', true],
    ['Petition/Application Was Rejected For Insufficient Funds', 'rejected', true],
    ['Request for Additional Evidence Was Sent', 'evidence', true],
    ["Response To USCIS' Request For Evidence Was Received", 'evidence', false],
    ['Notice Of Intent To Deny Was Sent', 'evidence', true],
    ['A Request For Something New Was Mailed', 'evidence', true],
    ['A Response To Something New Was Received', 'evidence', false],
    ['Appeal Was Dismissed', 'appeal', true],
    ['Appeal Was Filed', 'appeal', false],
    ['Interview Was Scheduled', 'interview', true],
    ['Interview Was Rescheduled', 'interview', true],
    ['Interview Cancelled', 'interview', false],
    ['Case is Ready to Be Scheduled for An Interview', 'interview', false],
    ['Oath Ceremony Notice Was Mailed', 'oath', true],
    ['Oath Ceremony Will Be Scheduled', 'oath', true],
    ['Oath Ceremony Was Cancelled', 'oath', true],
    ['Travel Authorization Decision Posted', 'decision', true],
    ['Eligibility Notice Was Mailed', 'decision', true],
    ['Case Was Approved', 'approved', false],
    ['Certificate Of Naturalization Was Issued', 'document', false],
    ['Biometrics Appointment Was Scheduled', 'biometrics', false],
    ['Case Was Submitted For Quality Review Based On An Approval Recommendation', 'review', false],
    ['Case Was Received', 'received', false],
    ['Card Was Mailed To Me', 'card', false],
    ['A Title That Nobody Knows', 'unknown', false],
  ])('%s (%s): %j', (status_code, category, urgent) => {
    expect(isUrgent({ status_code, category })).toBe(urgent);
  });

  it('is asked for each monitoring state', () => {
    const urgent = monitoringState.options.filter(isUrgentMonitoring);
    expect(urgent).toEqual(['not_found', 'rejected', 'overdue']);
  });

  it('holds for every status that asks for an answer, which are requests and notices of intent', () => {
    const asking = knownStatuses().filter(({ en, category }) => asksForAnswer({ status_code: en, category }));
    expect(asking.map(({ en }) => en)).toEqual([
      'Request for Initial Evidence Was Sent',
      'Request for Additional Evidence Was Sent',
      'Notice Of Intent To Deny Was Sent',
      'Intent to Revoke Notice Was Sent',
      'Intent To Rescind Notice Was Mailed',
    ]);
    for (const { en, category } of asking) expect(isUrgent({ status_code: en, category })).toBe(true);
  });

  it.each([
    ['A Request For Something New Was Mailed', 'evidence', true],
    ['A Response To Something New Was Received', 'evidence', false],
    ['Case Was Denied', 'denied', false],
    ['Interview Was Scheduled', 'interview', false],
  ])('asks for an answer: %s (%s): %j', (status_code, category, asks) => {
    expect(asksForAnswer({ status_code, category })).toBe(asks);
  });

  // A list of categories somewhere else would be a second rule, which tells other cases from the rest.
  it('is the only one: nothing else names several urgent categories together', () => {
    const root = new URL('../../..', import.meta.url).pathname;
    const files = globSync('{libs,services,tools}/*/src/**/*.ts', { cwd: root }).filter(
      (file) => !file.startsWith('libs/contracts/src/statuses/') && !file.endsWith('.test.ts'),
    );
    expect(files.length).toBeGreaterThan(500);
    const names = 'denied|rejected|decision|evidence|appeal|oath';
    const between = `,|['"]\\s*,\\s*['"]|['"]\\s*\\|\\|[^'"]*['"]`;
    const together = new RegExp(`\\b(${names})(?:${between})(?!\\1)(?:${names})\\b`);
    const found = files.filter((file) => together.test(codeOf(readFileSync(`${root}/${file}`, 'utf8'))));
    expect(found).toEqual([]);
    for (const rule of [
      "category: 'denied,evidence'",
      "new Set(['oath', 'denied'])",
      "category === 'denied' || category === 'evidence'",
    ])
      expect(together.test(rule)).toBe(true);
  });
});

/** Without comments, examples of the reference, and sentences. */
function codeOf(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|example: '[^']*'/gm, '');
}
