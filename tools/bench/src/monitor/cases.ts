/** Receipts of a bench are numbered from 0. */
const prefix = 'WAC';
const firstNumber = 5_000_000_000;

export function receiptAt(index: number): string {
  return `${prefix}${firstNumber + index}`;
}

const forms = [
  ['I-130', 'Petition for Alien Relative', 'Petición de Familiar Extranjero'],
  ['I-485', 'Application to Adjust Status', 'Solicitud para Ajustar Estatus'],
  ['I-765', 'Application for Employment Authorization', 'Solicitud de Autorización de Empleo'],
  ['N-400', 'Application for Naturalization', 'Solicitud de Naturalización'],
] as const;

const firstDay = Date.UTC(2023, 0, 2);
const days = 900;
const dayMs = 24 * 60 * 60 * 1_000;
const [english, spanish] = ['en-US', 'es-US'].map(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
);

/** What the government serves. Each text names its receipt, form and date: equal rows would be compressed too well. */
export function caseOf(receipt: string) {
  const number = Number(receipt.replace(/\D/g, ''));
  const [form, name, nombre] = forms[number % forms.length] ?? forms[0];
  const day = new Date(firstDay + ((number * 7_919) % days) * dayMs);
  const [year, month, date] = day.toISOString().slice(0, 10).split('-');
  return {
    formType: form,
    submittedDate: `${month}-${date}-${year} 14:28:12`,
    modifiedDate: `${month}-${date}-${year} 18:05:41`,
    current_case_status_text_en: 'Case Was Received',
    current_case_status_desc_en: `On ${english?.format(day)}, we received your Form ${form}, ${name}, Receipt Number ${receipt}, and mailed you a notice that says how it will be processed.`,
    current_case_status_text_es: 'Caso Fue Recibido',
    current_case_status_desc_es: `El ${spanish?.format(day)} recibimos su Formulario ${form}, ${nombre}, Número de Recibo ${receipt}, y le enviamos una notificación sobre cómo se procesará.`,
    hist_case_status: null,
  };
}
