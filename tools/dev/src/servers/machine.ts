/** What kind of machine this is, as far as the choice of a server binary depends on it. */

/** `<process.platform>-<process.arch>`, the key of the pins and part of a cache folder's name. */
export function machineKey(): string {
  return `${process.platform}-${process.arch}`;
}

/** File name of a program on this machine (`.exe` on Windows). */
export function programName(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

/** Version of the C library this process runs on, such as `2.36`; undefined where it is not glibc. */
export function glibcVersion(): string | undefined {
  // Without this the report looks up the name of every open connection, which may take seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const report: unknown = process.report.getReport();
  const header = (report as { header?: { glibcVersionRuntime?: string } }).header;
  return header?.glibcVersionRuntime;
}

/** True when dotted version `have` is at least `want`; missing parts count as 0. */
export function atLeast(have: string, want: string): boolean {
  const left = have.split('.').map(Number);
  const right = want.split('.').map(Number);
  for (let index = 0; index < right.length; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
