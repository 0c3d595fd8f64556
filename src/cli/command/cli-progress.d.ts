/** The part of cli-progress that is used; the package brings no types. */
declare module 'cli-progress' {
  export interface Options {
    format?: string;
    barCompleteChar?: string;
    barIncompleteChar?: string;
    stream?: NodeJS.WritableStream;
    hideCursor?: boolean;
    clearOnComplete?: boolean;
  }
  export class SingleBar {
    constructor(options: Options);
    start(total: number, value: number): void;
    increment(): void;
    stop(): void;
  }
}
