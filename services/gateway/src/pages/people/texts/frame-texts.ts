import type { Language } from '@casewatch/contracts';

type Texts = {
  skip: string;
  menu: string;
  cases: string;
  settings: string;
  data: string;
  signOut: string;
  language: string;
  advice: string;
  /** Stands behind the address of that page, which opens in English. */
  adviceLanguage: string | null;
  disclaimer: string;
  inactive: string;
  activate: string;
};

/** What stands around every page for people; a language without one of them does not compile. */
export const frameTexts: Readonly<Record<Language, Texts>> = {
  en: {
    skip: 'Skip to content',
    menu: 'Menu',
    cases: 'My cases',
    settings: 'Settings',
    data: 'My data',
    signOut: 'Sign out',
    language: 'Language',
    advice:
      'For advice about your case, ask an immigration lawyer or a representative accredited by the U.S. Department of Justice. In the United States, a notary public is not a lawyer:',
    adviceLanguage: null,
    disclaimer: 'We are not USCIS or any other part of the government, and this is not legal advice.',
    inactive: 'Your account is turned off. We do not check your cases or send you messages about them.',
    activate: 'Turn on my account',
  },
  es: {
    skip: 'Ir al contenido',
    menu: 'Menú',
    cases: 'Mis casos',
    settings: 'Ajustes',
    data: 'Mis datos',
    signOut: 'Cerrar sesión',
    language: 'Idioma',
    advice:
      'Para recibir asesoría sobre su caso, consulte a un abogado de inmigración o a un representante acreditado por el Departamento de Justicia de EE. UU. En Estados Unidos, un notario no es abogado:',
    adviceLanguage: '(la página se abre en inglés; elija “Español” en la parte de arriba)',
    disclaimer: 'No somos USCIS ni ninguna otra agencia del gobierno, y esto no es asesoría legal.',
    inactive: 'Su cuenta está desactivada. No consultamos sus casos ni le enviamos mensajes sobre ellos.',
    activate: 'Activar mi cuenta',
  },
  pt: {
    skip: 'Ir para o conteúdo',
    menu: 'Menu',
    cases: 'Meus casos',
    settings: 'Configurações',
    data: 'Meus dados',
    signOut: 'Sair',
    language: 'Idioma',
    advice:
      'Para receber orientação sobre o seu caso, consulte um advogado de imigração ou um representante credenciado pelo Departamento de Justiça dos EUA. Nos Estados Unidos, um notário (notary public) ou despachante não é advogado:',
    adviceLanguage: '(em inglês)',
    disclaimer: 'Não somos o USCIS nem nenhum outro órgão do governo, e isto não é aconselhamento jurídico.',
    inactive:
      'A sua conta está desativada. Não consultamos os seus casos e não enviamos mensagens sobre eles.',
    activate: 'Ativar a minha conta',
  },
};
