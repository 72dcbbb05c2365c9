export {
  cancelImport,
  checkImport,
  createImport,
  exportRefusedRows,
  getImport,
  listImportRows,
  listImports,
} from './imports.ts';
export { sendImportVerifications } from './import-end.ts';
export { ownRefusedRows } from './row-owner.ts';
export { runImports } from './run-imports.ts';
