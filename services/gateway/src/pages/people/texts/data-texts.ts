import type { Language } from '@casewatch/contracts';

type Texts = {
  title: string;
  download: string;
  downloadText: string;
  downloadNow: string;
  deletion: string;
  deletionText: string;
  deletionOfPartner(partner: string): string;
  deleteAccount: string;
  confirm: string;
  deleteNow: string;
  deletedTitle: string;
  deletedText: string;
  startPage: string;
};

/** What we hold about a person, and its deletion. */
export const dataTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'My data',
    download: 'Get a copy',
    downloadText: 'A file with your account, your cases, and every status that we saw.',
    downloadNow: 'Download my data',
    deletion: 'Delete my account',
    deletionText:
      'We delete your account, your cases here and all messages. Nothing changes at USCIS: your cases and their deadlines continue. This cannot be undone.',
    deletionOfPartner: (partner) =>
      `After that, ${partner} will no longer see your cases here. Tell that office first.`,
    deleteAccount: 'Delete my account…',
    confirm: 'Yes, delete my account and all my cases here',
    deleteNow: 'Delete forever',
    deletedTitle: 'Your account was deleted',
    deletedText: 'We no longer check your cases, and we will not send you any more messages.',
    startPage: 'To the start page',
  },
  es: {
    title: 'Mis datos',
    download: 'Recibir una copia',
    downloadText: 'Un archivo con su cuenta, sus casos y todos los estados de sus casos que vimos.',
    downloadNow: 'Descargar mis datos',
    deletion: 'Eliminar mi cuenta',
    deletionText:
      'Borramos su cuenta, sus casos de esta página y todos los mensajes. Sus casos en USCIS no cambian, y sus plazos continúan. Esto no se puede deshacer.',
    deletionOfPartner: (partner) =>
      `Después, ${partner} ya no verá sus casos aquí. Avise antes a esa oficina.`,
    deleteAccount: 'Eliminar mi cuenta…',
    confirm: 'Sí, eliminar mi cuenta y todos mis casos de esta página',
    deleteNow: 'Eliminar para siempre',
    deletedTitle: 'Su cuenta se eliminó',
    deletedText: 'Ya no consultamos sus casos ni le enviamos más mensajes.',
    startPage: 'Ir a la página de inicio',
  },
  pt: {
    title: 'Meus dados',
    download: 'Receber uma cópia',
    downloadText: 'Um arquivo com a sua conta, os seus casos e todos os status que vimos.',
    downloadNow: 'Baixar os meus dados',
    deletion: 'Excluir a minha conta',
    deletionText:
      'Apagamos a sua conta, os seus casos desta página e todas as mensagens. No USCIS nada muda: os seus casos e os prazos continuam. Isso não pode ser desfeito.',
    deletionOfPartner: (partner) =>
      `Depois disso, ${partner} não verá mais os seus casos aqui. Avise o escritório antes.`,
    deleteAccount: 'Excluir a minha conta…',
    confirm: 'Sim, excluir a minha conta e todos os meus casos desta página',
    deleteNow: 'Excluir para sempre',
    deletedTitle: 'A sua conta foi excluída',
    deletedText: 'Não consultamos mais os seus casos e não enviamos mais mensagens.',
    startPage: 'Ir para a página inicial',
  },
};
