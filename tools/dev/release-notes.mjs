/** node tools/dev/release-notes.mjs v0.2.0: prints the section of CHANGELOG.md about this version. Runs on Node 20 with nothing installed. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const version = (process.argv[2] ?? '').replace(/^v/, '');
const text = readFileSync(fileURLToPath(new URL('../../CHANGELOG.md', import.meta.url)), 'utf8');
// `## 0.2.0` or `## 0.2.0 - 2026-12-01`, and what follows up to the next heading of a version.
const sections = text.split(/^## /m).slice(1);
const section = sections.find((each) => /^\S+/.exec(each)?.[0] === version);
const notes = section?.replace(/^.*\n/, '').trim() ?? '';
if (version === '' || notes === '') {
  process.stderr.write(`CHANGELOG.md has no section "## ${version}": rename "Unreleased".\n`);
  process.exitCode = 1;
} else process.stdout.write(`${notes}\n`);
