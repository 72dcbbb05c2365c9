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

/** Adding a case. `acknowledge` is the text of version 2026-11 of the access acknowledgement. */
export const newCaseTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'Add a case',
    intro: 'We check the status of your case with USCIS and tell you when it changes.',
    receipt: 'Receipt number',
    receiptHint: 'Three letters and ten digits, on your USCIS notice. Example: IOE0123456789',
    description: 'Your name for this case (optional)',
    descriptionHint: 'For example: work permit.',
    acknowledge:
      'This is my case, or I have permission to act for the person whose case this is. I agree that Casewatch checks the status of this case with USCIS.',
    add: 'Add the case',
  },
  es: {
    title: 'Agregar un caso',
    intro: 'Consultamos en USCIS el estado de su caso y le avisaremos cuando cambie.',
    receipt: 'Número de recibo',
    receiptHint: 'Tres letras y diez números; está en su aviso de USCIS. Ejemplo: IOE0123456789',
    description: 'Un nombre para este caso (opcional)',
    descriptionHint: 'Por ejemplo: permiso de trabajo.',
    acknowledge:
      'Este es mi caso, o tengo permiso para actuar en nombre de la persona del caso. Acepto que Casewatch consulte en USCIS el estado de este caso.',
    add: 'Agregar el caso',
  },
  pt: {
    title: 'Adicionar um caso',
    intro: 'Consultamos no USCIS o status do seu caso e avisaremos quando ele mudar.',
    receipt: 'Número de recibo (receipt number)',
    receiptHint: 'Três letras e dez números; está no seu aviso (carta) do USCIS. Exemplo: IOE0123456789',
    description: 'Um nome para este caso (opcional)',
    descriptionHint: 'Por exemplo: autorização de trabalho.',
    acknowledge:
      'Este é o meu caso, ou tenho autorização da pessoa do caso para agir por ela. Concordo que o Casewatch consulte no USCIS o status deste caso.',
    add: 'Adicionar o caso',
  },
};
