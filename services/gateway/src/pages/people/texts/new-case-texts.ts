import type { Language } from '@casewatch/contracts';

type Texts = {
  title: string;
  intro: string;
  receipt: string;
  receiptHint: string;
  description: string;
  descriptionHint: string;
  acknowledge: string;
  add: string;
};

/** Adding a case. `acknowledge` is the text of version 2026-01 of the access acknowledgement. */
export const newCaseTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'Add a case',
    intro: 'We ask USCIS for the status, and we tell you when it changes.',
    receipt: 'Receipt number',
    receiptHint: 'Three letters and ten digits, on your USCIS notice. Example: IOE0123456789',
    description: 'Your name for this case (optional)',
    descriptionHint: 'For example: work permit.',
    acknowledge:
      'This is my case, or I may act for the person of the case. I agree that Casewatch asks USCIS for its status.',
    add: 'Add the case',
  },
  es: {
    title: 'Agregar un caso',
    intro: 'Preguntamos a USCIS por el estado y le avisamos cuando cambie.',
    receipt: 'Número de recibo',
    receiptHint: 'Tres letras y diez dígitos; está en su aviso de USCIS. Ejemplo: IOE0123456789',
    description: 'Un nombre para este caso (opcional)',
    descriptionHint: 'Por ejemplo: permiso de trabajo.',
    acknowledge:
      'Este es mi caso, o puedo actuar en nombre de la persona del caso. Acepto que Casewatch pregunte a USCIS por su estado.',
    add: 'Agregar el caso',
  },
  pt: {
    title: 'Adicionar um caso',
    intro: 'Perguntamos ao USCIS qual é o status e avisamos quando ele mudar.',
    receipt: 'Número de recibo',
    receiptHint: 'Três letras e dez dígitos; está na sua notificação do USCIS. Exemplo: IOE0123456789',
    description: 'Um nome para este caso (opcional)',
    descriptionHint: 'Por exemplo: autorização de trabalho.',
    acknowledge:
      'Este é o meu caso, ou posso agir em nome da pessoa do caso. Concordo que o Casewatch pergunte ao USCIS qual é o status.',
    add: 'Adicionar o caso',
  },
};
