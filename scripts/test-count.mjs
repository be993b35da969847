// Prints `N passed, N failed, N skipped` from the test runner's JSON, and fails if anything failed or nothing ran.
import { readFileSync } from 'node:fs';

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`);
process.exitCode = success && numFailedTests === 0 && numPassedTests > 0 ? 0 : 1;
