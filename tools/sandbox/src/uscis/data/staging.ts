/** The real sandbox's fifty staging receipts. */
export const WITH_HISTORY: readonly string[] = [
  ...numbers('EAC99991034', ['03', '04', '05', '10', '11', '16', '19']),
  ...numbers('LIN99991064', ['98', '99']),
  ...numbers('LIN99991065', ['04', '05', '06']),
  ...numbers('SRC99991027', ['77', '78', '79', '80', '81', '82', '83', '84', '85', '86', '87']),
  ...numbers('SRC99991327', ['10', '19']),
];

/** Their `hist_case_status` is null. */
export const WITHOUT_HISTORY: readonly string[] = [
  ...numbers('EAC99991034', ['00', '02', '06', '07', '08', '09', '12', '13', '14', '15', '20', '21']),
  ...numbers('EAC99991034', ['24', '25', '26', '28', '29', '31', '32']),
  ...numbers('LIN99991065', ['01', '07']),
  ...numbers('SRC99991326', ['94', '95']),
  ...numbers('SRC99991327', ['06', '07']),
];

/** Answered 200 with broken JSON until they are set or advanced. */
export const BROKEN: ReadonlySet<string> = new Set(['SRC9999132706', 'SRC9999132707']);

function numbers(start: string, ends: readonly string[]): string[] {
  return ends.map((end) => start + end);
}
