/** Messages of changes that an import adds to those of the source. */
export const adaptedMessage = 'Changed links to point to the pages of this wiki';
export const filesMessage = 'Imported files';
export const narrowedMessage = 'Set access as in the source';
export const movedMessage = 'Moved as in the source';
export const importSteps: readonly string[] = [adaptedMessage, filesMessage, narrowedMessage, movedMessage];
