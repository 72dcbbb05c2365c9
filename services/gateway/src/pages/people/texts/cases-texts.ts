import type { Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

type Texts = {
  title: string;
  hello(name: string): string;
  receipt: string;
  noStatus: string;
  /** The day on which we saw the status first; USCIS may have had it long before. */
  seen(day: Markup): Markup;
  paused: string;
  toDo: string;
  add: string;
  emptyTitle: string;
  emptyText: string;
  more: string;
  removed: string;
};

/** The list of a person's cases. */
export const casesTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'My cases',
    hello: (name) => `Hello, ${name}.`,
    receipt: 'Receipt number',
    noStatus: 'USCIS shows no status yet',
    seen: (day) => html`We saw this status on ${day}`,
    paused: 'This case is paused here. We do not check it.',
    toDo: 'There is something for you to do.',
    add: 'Add a case',
    emptyTitle: 'You have no cases here yet',
    emptyText:
      'Add a case with the receipt number on your USCIS notice. We will tell you when something changes.',
    more: 'More cases',
    removed: 'We removed the case from your list and no longer check it. Your case at USCIS does not change.',
  },
  es: {
    title: 'Mis casos',
    hello: (name) => `Hola, ${name}.`,
    receipt: 'Número de recibo',
    noStatus: 'USCIS todavía no muestra ningún estado del caso',
    seen: (day) => html`Vimos este estado del caso el ${day}`,
    paused: 'Este caso está en pausa aquí. No lo consultamos.',
    toDo: 'Hay algo que usted debe hacer.',
    add: 'Agregar un caso',
    emptyTitle: 'Todavía no tiene casos aquí',
    emptyText:
      'Agregue un caso con el número de recibo de su aviso de USCIS. Le avisaremos cuando algo cambie.',
    more: 'Más casos',
    removed: 'Quitamos el caso de su lista y ya no lo consultamos. Su caso en USCIS no cambia.',
  },
  pt: {
    title: 'Meus casos',
    hello: (name) => `Olá, ${name}.`,
    receipt: 'Número de recibo (receipt number)',
    noStatus: 'O USCIS ainda não mostra nenhum status',
    seen: (day) => html`Vimos este status em ${day}`,
    paused: 'Este caso está em pausa aqui. Não o consultamos.',
    toDo: 'Há algo para você fazer.',
    add: 'Adicionar um caso',
    emptyTitle: 'Você ainda não tem casos aqui',
    emptyText:
      'Adicione um caso com o número de recibo do seu aviso (carta) do USCIS. Avisaremos quando algo mudar.',
    more: 'Mais casos',
    removed: 'Tiramos o caso da sua lista e não o consultamos mais. O seu caso no USCIS não muda.',
  },
};
