import { casePage } from './case.ts';
import { pauseCase, removeCase, resumeCase } from './case-actions.ts';
import { caseList } from './cases.ts';
import { dataPage, deleteAccount } from './data.ts';
import { downloadData } from './download.ts';
import { setMessages } from './messages.ts';
import { createCase, newCaseForm } from './new-case.ts';
import { activateAccount, setLanguage } from './quick-settings.ts';
import { changeAddress, saveSettings, settingsPage } from './settings.ts';

/** Every page and form of a person who is signed in. Paths without parameters stand before paths with parameters. */
export const peoplePages = [
  ...[caseList, newCaseForm, createCase, casePage, pauseCase, resumeCase, removeCase],
  ...[setMessages, settingsPage, saveSettings, changeAddress, setLanguage, activateAccount],
  ...[dataPage, downloadData, deleteAccount],
];
