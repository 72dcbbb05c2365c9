import { FORMS } from './data/forms.ts';
import type { State } from './data/states.ts';

/** The four texts of a state for a receipt on a day (UTC). */
export function describeState(state: State, subject: { receipt: string; formType: string; at: Date }) {
  const form = FORMS.find(({ type }) => type === subject.formType);
  const fill = (template: string, language: 'en' | 'es') =>
    template
      .replaceAll('{date}', longDate(subject.at, language))
      .replaceAll('{receipt}', subject.receipt)
      .replaceAll('{form}', formName(subject.formType, form?.[language], language));
  return {
    text_en: state.en,
    desc_en: fill(state.descEn, 'en'),
    text_es: state.es,
    desc_es: fill(state.descEs, 'es'),
  };
}

/** `MM-DD-YYYY HH:mm:ss`, in UTC. */
export function governmentMoment(at: Date): string {
  const [day = '', time = ''] = at.toISOString().split('T');
  const [year, month, date] = day.split('-');
  return `${month}-${date}-${year} ${time.slice(0, 8)}`;
}

/** `YYYY-MM-DD`, in UTC. */
export function isoDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

const dateParts = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
/** Made once: making one takes longer than a hundred dates. */
const longDates = {
  en: new Intl.DateTimeFormat('en-US', dateParts),
  es: new Intl.DateTimeFormat('es', dateParts),
};

function longDate(at: Date, language: 'en' | 'es'): string {
  return longDates[language].format(at);
}

function formName(type: string, name: string | undefined, language: 'en' | 'es'): string {
  const form = `${language === 'en' ? 'Form' : 'Formulario'} ${type}`;
  return name === undefined ? form : `${form}, ${name}`;
}
