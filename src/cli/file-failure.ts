// What the file system said no to, in words: the path, the cause and the fix.

import { EnvironmentError } from '../base/errors.ts';

const CAUSES: Readonly<Record<string, readonly [cause: string, fix: string]>> = {
  ENOENT: ['its folder does not exist and cannot be made', 'name a place that may be written to'],
  EACCES: ['permission is missing', 'name another place, or change who may use this one'],
  EPERM: ['permission is missing', 'name another place, or change who may use this one'],
  EROFS: ['the file system is read-only', 'name another place'],
  ENOSPC: ['the disk is full', 'free some space, or name another place'],
  EDQUOT: ['the disk quota is used up', 'free some space, or name another place'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'name another place'],
  EISDIR: ['it is a folder', 'name a file'],
  ENAMETOOLONG: ['the name is too long', 'name it shorter'],
  ELOOP: ['its links lead in a circle', 'name another place'],
  EBUSY: ['something else is using it', 'name another place, or wait'],
  EMFILE: ['too many files are open', 'close some programs, or raise the limit'],
};

/** An error of Node's that came from the operating system. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** What `action` answers; a failure of the file system is told with the path that the user knows. */
export function withFile<Result>(path: string, verb: 'read' | 'written', action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw fileFailure(error, verb, path);
  }
}

export function fileFailure(
  error: NodeJS.ErrnoException,
  verb: 'read' | 'written' | 'used',
  path = error.path,
): EnvironmentError {
  return new EnvironmentError(error.code ?? 'file', failureText(error, verb, path), { cause: error });
}

function failureText(error: NodeJS.ErrnoException, verb: string, path: string | undefined): string {
  const [cause, fix] = CAUSES[error.code ?? ''] ?? [error.message, 'name another place'];
  const subject = path === undefined ? 'a file' : path;
  return `${subject} cannot be ${verb}: ${cause} (${error.code}); ${fix}`;
}
