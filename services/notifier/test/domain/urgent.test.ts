import { describe, expect, it } from '@jest/globals';
import { isUrgent } from '../../src/domain/urgent.ts';

describe('an update that never waits', () => {
  it.each([
    ['Case Was Approved', 'approved', true],
    ['Case Was Denied', 'denied', true],
    ['Request for Additional Evidence Was Sent', 'evidence', true],
    ["Response To USCIS' Request For Evidence Was Received", 'evidence', false],
    ['Notice Of Intent To Deny Was Sent', 'evidence', true],
    ['A Request For Something New Was Mailed', 'evidence', true],
    ['Appeal Was Dismissed', 'appeal', true],
    ['Appeal Was Filed', 'appeal', false],
    ['Oath Ceremony Notice Was Mailed', 'oath', true],
    ['Oath Ceremony Will Be Scheduled', 'oath', false],
    ['Oath Ceremony Was Cancelled', 'oath', true],
    ['Travel Authorization Decision Posted', 'decision', true],
    ['Certificate Of Naturalization Was Issued', 'document', false],
    ['Case Was Submitted For Quality Review Based On An Approval Recommendation', 'review', false],
    ['Case Was Received', 'received', false],
    ['Card Was Mailed To Me', 'card', false],
  ])('%s (%s): %j', (status_code, category, urgent) => {
    expect(isUrgent({ status_code, category })).toBe(urgent);
  });
});
