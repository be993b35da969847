// Holds a ledger file's write lock until it is told to let go, and a moment longer. With a second file,
// it makes the first a ledger like that one meanwhile. Arguments: file, optionally a ledger to copy.

import Database from 'better-sqlite3';

const [path, model] = process.argv.slice(2);
const database = new Database(path);
database.pragma('journal_mode = WAL');
database.exec('BEGIN IMMEDIATE');
if (model !== undefined) {
  const original = new Database(model, { readonly: true });
  const tables = original.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').pluck().all();
  for (const sql of tables) database.exec(sql);
  for (const mark of ['application_id', 'user_version']) {
    database.pragma(`${mark} = ${original.pragma(mark, { simple: true })}`);
  }
  original.close();
}
process.stdout.write('locked\n');
process.stdin.once('data', () => {
  setTimeout(() => {
    database.exec('COMMIT');
    database.close();
    process.stdin.destroy();
  }, 200);
});
