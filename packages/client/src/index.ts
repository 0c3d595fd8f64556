/** Typed client of the Coppice wiki's API. */
export type * from '@coppice/api';
export type { ChangesOptions } from './changes.ts';
export { type Conflict, Coppice, type Saved, type Version } from './client.ts';
export { CoppiceError } from './problem.ts';
export type { Credential, Options } from './send.ts';
export type { UploadOptions } from './upload.ts';
