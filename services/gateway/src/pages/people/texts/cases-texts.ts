import type { Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

type Texts = {
  title: string;
  hello(name: string): string;
  receipt: string;
  noStatus: string;
  since(day: Markup): Markup;
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
    noStatus: 'USCIS has shown no status yet',
    since: (day) => html`Since ${day}`,
    paused: 'We do not check this case: you paused it.',
    toDo: 'There is something to do.',
    add: 'Add a case',
    emptyTitle: 'You have no cases here yet',
    emptyText:
      'Add a case with the receipt number of your USCIS notice. We then tell you when something changes.',
    more: 'More cases',
    removed: 'The case is removed. We do not check it any more.',
  },
  es: {
    title: 'Mis casos',
    hello: (name) => `Hola, ${name}.`,
    receipt: 'Número de recibo',
    noStatus: 'USCIS todavía no muestra ningún estado',
    since: (day) => html`Desde el ${day}`,
    paused: 'No consultamos este caso: usted lo puso en pausa.',
    toDo: 'Hay algo que hacer.',
    add: 'Agregar un caso',
    emptyTitle: 'Todavía no tiene casos aquí',
    emptyText:
      'Agregue un caso con el número de recibo de su aviso de USCIS. Le avisaremos cuando algo cambie.',
    more: 'Más casos',
    removed: 'El caso está eliminado. Ya no lo consultamos.',
  },
  pt: {
    title: 'Meus casos',
    hello: (name) => `Olá, ${name}.`,
    receipt: 'Número de recibo',
    noStatus: 'O USCIS ainda não mostra nenhum status',
    since: (day) => html`Desde ${day}`,
    paused: 'Não consultamos este caso: ele está em pausa a seu pedido.',
    toDo: 'Há algo a fazer.',
    add: 'Adicionar um caso',
    emptyTitle: 'Você ainda não tem casos aqui',
    emptyText:
      'Adicione um caso com o número de recibo da sua notificação do USCIS. Avisaremos quando algo mudar.',
    more: 'Mais casos',
    removed: 'O caso foi removido. Não o consultamos mais.',
  },
};
