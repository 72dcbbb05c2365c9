import type { Setting } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { settingsDocuments } from '../../src/settings-tables/documents.ts';
import { envExample } from '../../src/settings-tables/env-example.ts';
import { withTable } from '../../src/settings-tables/readme-table.ts';

const about = { fallback: undefined, isRequired: false, isSecret: false };
const port: Setting = { ...about, name: 'PORT', meaning: 'Where to listen', isRequired: true };
const settings: Setting[] = [
  port,
  { ...about, name: 'KEY', meaning: 'Signs', isRequired: true, isSecret: true },
  { ...about, name: 'LIMIT', meaning: 'How many', fallback: '3' },
  { ...about, name: 'MAP', meaning: 'Which | or', fallback: '{"a":"b"}' },
];

describe('settings in documents', () => {
  it('stand in a table between their marks', () => {
    const readme =
      '# x\n\n<!-- settings: written by npm run settings -->\nold\n<!-- end of settings -->\n\nrest\n';
    const table = withTable(readme, settings);
    expect(table).toContain('| `KEY` (secret) | required | Signs |\n| `LIMIT` | `3` | How many |\n');
    expect(table).toContain('| `MAP` | `{"a":"b"}` | Which \\| or |');
    expect(table).not.toContain('old');
    expect(table).toMatch(/^# x\n[\s\S]*\nrest\n$/);
    expect(() => withTable('# x\n', [])).toThrow('no place for settings');
  });

  it('stand in .env.example, the required ones open', () => {
    const own = [...settings, { ...port, name: 'OWN', meaning: 'Of one' }];
    const text = envExample({
      gateway: settings,
      identity: own,
      cases: settings,
      monitor: settings,
      notifier: settings,
      webhooks: settings,
    });
    expect(text).toContain('\n# Where to listen\nPORT=\n');
    expect(text).toContain('\n# How many\n# LIMIT=3\n');
    expect(text.match(/PORT=/g)).toHaveLength(1);
    expect(text).toMatch(/---- identity\n\n# Of one\nOWN=\n/);
  });

  it('are in the repository as the schemas say: npm run settings', () => {
    const stale = settingsDocuments().filter(({ current, expected }) => current !== expected);
    expect(stale.map(({ path }) => path)).toEqual([]);
  });
});
