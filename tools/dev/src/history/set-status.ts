import { type Addresses, setReceipt } from '@casewatch/driver';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** What the stand-in of USCIS says about a receipt, with the date of the change. */
export async function setStatus(
  addresses: Addresses,
  { receipt, form, title, at: changed }: { receipt: string; form: string; title: string; at: Date },
): Promise<void> {
  const [year = '', month = '', date = ''] = changed.toISOString().slice(0, 10).split('-');
  const time = `${month}-${date}-${year} ${changed.toISOString().slice(11, 19)}`;
  const text = `On ${day.format(changed)}, we updated your Form ${form}, Receipt Number ${receipt}: ${title}. If you move, go to www.uscis.gov/addresschange to give us your new mailing address.`;
  await setReceipt(addresses, receipt, {
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
