import { randomInt } from 'node:crypto';
import type { Addresses } from './dev-file.ts';
import { sendJson } from './stand-in.ts';

export const received = {
  form_type: 'I-130',
  submitted_date: '09-05-2023 14:28:41',
  modified_date: '09-05-2023 14:28:41',
  text_en: 'Case Was Received',
  desc_en: 'On September 5, 2023, we received your Form I-130, Petition for Alien Relative.',
  text_es: 'Caso Fue Recibido',
  desc_es: 'El 5 de septiembre de 2023 recibimos su Formulario I-130, Petición de Familiar Extranjero.',
  history: [],
};

export const approved = {
  ...received,
  modified_date: '02-12-2024 09:10:00',
  text_en: 'Case Was Approved',
  desc_en: 'On February 12, 2024, we approved your Form I-130, Petition for Alien Relative.',
  text_es: 'Caso Fue Aprobado',
  desc_es: 'El 12 de febrero de 2024 aprobamos su Formulario I-130, Petición de Familiar Extranjero.',
  history: [{ date: '2023-09-05', text_en: 'Case Was Received', text_es: 'Caso Fue Recibido' }],
};

export function titled(title: string) {
  const [desc_en, desc_es] = [`On September 5, 2023: ${title}.`, `El 5 de septiembre de 2023: ${title}.`];
  return { ...received, text_en: title, desc_en, text_es: title, desc_es };
}

export async function setReceipt({ uscis_url }: Addresses, receipt: string, state: object): Promise<void> {
  await sendJson(`${uscis_url}/sandbox/receipts/${receipt}`, state);
}

/** What is answered about a receipt, word for word: `{status, headers, body}`; null: as before. */
export async function setAnswer({ uscis_url }: Addresses, receipt: string, answer: object | null) {
  await sendJson(`${uscis_url}/sandbox/receipts/${receipt}/answer`, answer);
}

/** `{ mode: 'none' }` ends the faults. */
export async function setFaults({ uscis_url }: Addresses, faults: object): Promise<void> {
  await sendJson(`${uscis_url}/sandbox/faults`, faults);
}

let receipts = 0;

/** An unused receipt number with unused last digits, which mails name. */
export function newReceipt(): string {
  receipts += 1;
  return `EAC9${String(randomInt(0, 100_000)).padStart(5, '0')}${String(receipts % 10_000).padStart(4, '0')}`;
}
