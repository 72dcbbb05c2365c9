import type { Language } from '@casewatch/contracts';
import type { Sample } from './sample.ts';

const languages: Record<Language, string> = { en: 'English', es: 'Spanish', pt: 'Portuguese' };

/** docs/mails/README.md */
export function galleryOf(mails: readonly Sample[], pages: readonly Sample[]): string {
  return `# Mails, and the pages that they lead to

Written by \`npm run pictures:mails\`, with made-up content. Each picture shows one of the three languages; the light
and the dark scheme stand side by side. The texts are in \`services/notifier/src/templates\`,
\`services/notifier/src/http/pages\` and \`services/identity/src/http/pages\`.

## Mails

${mails.map(row).join('\n')}
## Pages, on a phone

${pages.map(row).join('\n')}`;
}

function row({ name, purpose, language }: Sample): string {
  const picture = (scheme: string) => `![${name}, ${scheme}](${name}-${scheme}.png)`;
  return `**${purpose}** ${languages[language]}.

| | |
|---|---|
| ${picture('light')} | ${picture('dark')} |
`;
}
