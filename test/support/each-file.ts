/**
 * Runs in every test file. Workers load modules once for all of their files, so hooks of other modules would run in the first
 * file only.
 */
import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary-folder.ts';

afterAll(removeTemporaryFolders);
