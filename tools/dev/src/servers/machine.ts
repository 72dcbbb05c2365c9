export function machineKey(): string {
  return `${process.platform}-${process.arch}`;
}

export function programName(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

/** Version of the C library, such as `2.36`; undefined without glibc. */
export function glibcVersion(): string | undefined {
  // By default the report looks up the host name of every connection, which can take seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const report: unknown = process.report.getReport();
  const header = (report as { header?: { glibcVersionRuntime?: string } }).header;
  return header?.glibcVersionRuntime;
}

export function atLeast(actual: string, required: string): boolean {
  const actualParts = actual.split('.').map(Number);
  const requiredParts = required.split('.').map(Number);
  for (let index = 0; index < requiredParts.length; index += 1) {
    const difference = (actualParts[index] ?? 0) - (requiredParts[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
