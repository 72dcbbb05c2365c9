import type { Setting } from '@casewatch/platform';

const BEGIN = '<!-- settings: written by npm run settings -->';
const END = '<!-- end of settings -->';

/** @throws Error if a mark is missing */
export function withTable(readme: string, settings: readonly Setting[]): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`it has no place for settings: ${BEGIN} … ${END}`);
  return `${readme.slice(0, begin)}${BEGIN}\n${tableOf(settings)}${readme.slice(end)}`;
}

function tableOf(settings: readonly Setting[]): string {
  const rows = settings.map(({ name, fallback, isRequired, isSecret, meaning }) => {
    const without = fallback === undefined ? (isRequired ? 'required' : '–') : `\`${fallback}\``;
    return `| \`${name}\`${isSecret ? ' (secret)' : ''} | ${without} | ${escaped(meaning)} |`;
  });
  return ['| setting | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
