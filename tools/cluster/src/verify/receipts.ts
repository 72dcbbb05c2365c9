import { randomInt } from 'node:crypto';
import { standIn } from './partner.ts';
import type { DevFile } from './reach.ts';

/** A receipt number that nobody else uses. */
export function newReceipt(): string {
  return `EAC9${String(randomInt(0, 1e9)).padStart(9, '0')}`;
}

/** What the government says of a receipt from now on. */
export async function serve({ uscis_url }: DevFile, receipt: string, title: string): Promise<void> {
  await standIn(`${uscis_url}/sandbox/receipts/${receipt}`, 'PUT', {
    form_type: 'I-130',
    submitted_date: '09-05-2023 14:28:41',
    modified_date: '09-05-2023 14:28:41',
    text_en: title,
    desc_en: `On September 5, 2023, we said: ${title}.`,
    text_es: title,
    desc_es: `El 5 de septiembre de 2023 dijimos: ${title}.`,
    history: [],
  });
}
