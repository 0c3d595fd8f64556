/**
 * Sends the form and follows what becomes of it without leaving the page, so that neither a refusal nor a broken connection
 * costs anyone their text: progress of files, mistakes beside their causes, and whatever page the server answers with.
 */

export type Outcome =
  /** Saved; this is where the page is now. */
  | { kind: 'saved'; url: string; notice: string | undefined }
  /** The server shows a page instead: the form again, or one that asks to sign in. */
  | { kind: 'page'; status: number; page: Document }
  | { kind: 'unsent'; message: string };

export function send(
  action: string,
  data: FormData,
  onProgress: (sentShare: number) => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', action);
    request.responseType = 'document';
    request.setRequestHeader('accept', 'text/html');
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () => {
      const page = request.responseXML;
      const isElsewhere = pathOf(request.responseURL) !== pathOf(new URL(action, location.href).href);
      if (isElsewhere && request.status < 400) {
        const notice = page?.querySelector<HTMLElement>('#notice:not([hidden])')?.textContent ?? undefined;
        return resolve({ kind: 'saved', url: request.responseURL, notice });
      }
      if (page?.querySelector('#main')) return resolve({ kind: 'page', status: request.status, page });
      resolve({
        kind: 'unsent',
        message: `The wiki answered with an error (${request.status}). Your text is kept here: try again.`,
      });
    });
    const failed = () =>
      resolve({
        kind: 'unsent',
        message: navigator.onLine
          ? 'The wiki does not answer. Nothing is lost: your text is kept in this browser. Try again in a moment.'
          : 'You are offline. Nothing is lost: your text is kept in this browser. Save again when you are back.',
      });
    for (const kind of ['error', 'timeout', 'abort']) request.addEventListener(kind, failed);
    request.send(data);
  });
}

function pathOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname.startsWith('/edit/') || pathname === '/new' ? pathname : `saved${pathname}`;
}
