import type { Language } from '@casewatch/contracts';
import { html, type Markup, personPage } from '@casewatch/platform';

type Text = { readonly title: string; readonly text: string };
type Texts = {
  readonly confirm: Text & { readonly button: string };
  readonly done: Text & { readonly settings: string };
  readonly invalid: Text;
};

/** For members of staff. */
const texts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: {
      title: 'Stop e-mails about cases?',
      text: 'Press the button to get no more e-mails about changes, and no more summaries. An urgent change that would reach nobody else at your organization still comes. You will still get sign-in codes and e-mails about your account.',
      button: 'Stop the e-mails',
    },
    done: {
      title: 'You will not get any more e-mails about cases',
      text: 'An urgent change that would reach nobody else at your organization still comes. You can turn the e-mails on again in the console.',
      settings: 'Open my alerts',
    },
    invalid: {
      title: 'This link does not work',
      text: 'Part of it may be missing. Please open the whole link in the e-mail.',
    },
  },
  es: {
    confirm: {
      title: '¿Dejar de recibir correos sobre los casos?',
      text: 'Toque el botón si ya no quiere recibir correos sobre cambios ni resúmenes. Un cambio urgente que no llegaría a nadie más de su organización seguirá llegando. También seguirá recibiendo los códigos de acceso y los correos sobre su cuenta.',
      button: 'Dejar de recibir correos',
    },
    done: {
      title: 'Ya no recibirá correos sobre los casos',
      text: 'Un cambio urgente que no llegaría a nadie más de su organización seguirá llegando. Puede volver a activar los correos en la consola.',
      settings: 'Abrir mis avisos',
    },
    invalid: {
      title: 'Este enlace no funciona',
      text: 'Puede estar incompleto. Abra el enlace completo que está en el correo.',
    },
  },
  pt: {
    confirm: {
      title: 'Parar de receber e-mails sobre os casos?',
      text: 'Toque no botão se você não quer mais receber e-mails sobre mudanças nem resumos. Uma mudança urgente que não chegaria a mais ninguém da sua organização continua chegando. Você também continua recebendo os códigos de acesso e os e-mails sobre a sua conta.',
      button: 'Parar de receber e-mails',
    },
    done: {
      title: 'Você não receberá mais e-mails sobre os casos',
      text: 'Uma mudança urgente que não chegaria a mais ninguém da sua organização continua chegando. Você pode ativar os e-mails de novo no console.',
      settings: 'Abrir os meus alertas',
    },
    invalid: {
      title: 'Este link não funciona',
      text: 'Ele pode estar incompleto. Abra o link completo que está no e-mail.',
    },
  },
};

export function confirmOffPage(language: Language, token: string): string {
  const { confirm } = texts[language];
  // A relative address keeps the path of the public address. The field is from RFC 8058 §3.2.
  const form = html`<form method="post" action="?token=${encodeURIComponent(token)}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">${confirm.button}</button>
</form>
`;
  return personPage({ language, brand: null }, confirm, form);
}

/** @param settings address of the member's alerts in the console, as below */
export function offPage(language: Language, settings: string): string {
  return personPage({ language, brand: null }, texts[language].done, settingsLink(language, settings));
}

export function invalidOffPage(language: Language, settings: string): string {
  return personPage({ language, brand: null }, texts[language].invalid, settingsLink(language, settings));
}

/** Each page at the end of a way has a link to the next. */
function settingsLink(language: Language, settings: string): Markup {
  return html`<p><a href="${settings}">${texts[language].done.settings}</a></p>
`;
}
