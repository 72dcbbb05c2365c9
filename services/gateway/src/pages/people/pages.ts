import { casePages } from './case.ts';
import { caseList } from './cases.ts';
import { dataPages } from './data.ts';
import { setMessages } from './messages.ts';
import { newCase } from './new-case.ts';
import { settingsPages } from './settings.ts';
import { startPages } from './welcome.ts';

/** Every page and form of a person who is signed in. Paths without parameters stand before paths with parameters. */
export const peoplePages = [
  caseList,
  ...newCase,
  ...startPages,
  ...casePages,
  setMessages,
  ...settingsPages,
  ...dataPages,
];
