/** Runs in every test file: workers load modules once for all of their files, so hooks of other modules would run in the first alone. */
import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary-folder.ts';

afterAll(removeTemporaryFolders);
