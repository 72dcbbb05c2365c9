import { knownStatuses } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { runAdmin } from './run-admin.ts';

/** Without any setting: the status table comes with the code. */
async function admin(...args: string[]) {
  const lines = { out: [] as string[], err: [] as string[] };
  const code = await runAdmin(
    args,
    {},
    {
      out: (line) => lines.out.push(line),
      err: (line) => lines.err.push(line),
    },
  );
  return { code, ...lines };
}

describe('npm run admin -- statuses review', () => {
  const marked = knownStatuses().filter(({ needs_legal_review: reason }) => reason !== undefined);

  it.each([
    ['statuses', 'review'],
    ['cases', 'statuses', 'review'],
  ])(
    'lists the statuses that a lawyer has to read, each with its reason, without a running system',
    async (...words) => {
      const { code, out, err } = await admin(...words);
      expect([code, err]).toEqual([0, []]);
      const [head, ...rows] = out;
      expect(head).toBe(`${marked.length} of ${knownStatuses().length} statuses need a lawyer's review`);
      expect(rows).toEqual(
        marked.map(({ code, en, needs_legal_review: reason }) => `${code} (${en}): ${reason}`),
      );
    },
  );

  it('answers in JSON', async () => {
    const { out } = await admin('statuses', 'review', '--json');
    const { statuses } = JSON.parse(out.join('')) as { statuses: { code: string; reason: string }[] };
    expect(statuses.map(({ code }) => code)).toEqual(marked.map(({ code }) => code));
    for (const { reason } of statuses) expect(reason).toMatch(/\S/);
  });

  it.each([
    [['statuses']],
    [['statuses', 'list']],
    [['statuses', 'review', '--all']],
    [['statuses', 'review', 'x']],
  ])('refuses %j with the correct form, and another command still needs its settings', async (words) => {
    const { code, out, err } = await admin(...words);
    expect([code, out]).toEqual([2, []]);
    expect(err.join('\n')).toContain('npm run admin -- cases statuses review');
    expect(await admin('explain', '--case', '7')).toMatchObject({
      code: 2,
      out: [],
      err: [expect.stringContaining('MONGODB_URL')],
    });
  });
});
