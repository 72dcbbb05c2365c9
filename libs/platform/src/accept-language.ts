import { type Language, language } from '@casewatch/contracts';

/**
 * Of the languages that we write, the one that an `Accept-Language` header likes best (RFC 9110 §12.5.4), whatever the
 * region; English where it names none of them.
 */
export function preferredLanguage(header = ''): Language {
  const [best] = header
    .split(',')
    .flatMap(toChoice)
    .sort((a, b) => b.weight - a.weight);
  return best?.language ?? 'en';
}

function toChoice(entry: string): { language: Language; weight: number }[] {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const primary = language.safeParse(tag.split('-')[0]);
  if (!primary.success) return [];
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice('q='.length));
  // Zero means "not this one"; what is no number says nothing.
  return weight > 0 ? [{ language: primary.data, weight }] : [];
}
