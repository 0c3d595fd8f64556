/** What whole-wiki tests share. */
import type { Files } from '#domain/attach-files.ts';

/** For tests that upload nothing: using it is a mistake of the test. */
export const noFiles = new Proxy({} as Files, {
  get() {
    throw new Error('This test has no files.');
  },
});
