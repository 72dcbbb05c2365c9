import { type Addresses, setReceipt } from '@casewatch/driver';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** What the stand-in of USCIS says about a receipt, with the date of today. */
export async function setStatus(
  at: Addresses,
  { receipt, form, title }: { receipt: string; form: string; title: string },
): Promise<void> {
  const now = new Date();
  const [year = '', month = '', date = ''] = now.toISOString().slice(0, 10).split('-');
  const time = `${month}-${date}-${year} ${now.toISOString().slice(11, 19)}`;
  const text = `On ${day.format(now)}, we updated your Form ${form}, Receipt Number ${receipt}: ${title}. If you move, go to www.uscis.gov/addresschange to give us your new mailing address.`;
  await setReceipt(at, receipt, {
    form_type: form,
    submitted_date: time,
    modified_date: time,
    text_en: title,
    desc_en: text,
    text_es: title,
    desc_es: text,
    history: [],
  });
}
