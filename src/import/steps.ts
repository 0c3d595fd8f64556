/** Messages of changes that an import adds to those of the source. */
export const adaptedMessage = 'Links led to the pages of this wiki';
export const filesMessage = 'Imported files';
export const narrowedMessage = 'Access as in the source';
export const movedMessage = 'Moved as in the source';
export const importSteps: readonly string[] = [adaptedMessage, filesMessage, narrowedMessage, movedMessage];
