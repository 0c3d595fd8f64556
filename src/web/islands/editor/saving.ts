/**
 * Sends the form without leaving the page, so that neither refusals nor broken connections lose text: shows progress of files,
 * errors at their fields, and any other page of the server.
 */
import { say } from '../words.ts';

export type Outcome =
  /** Saved, with the page's current URL. */
  | { kind: 'saved'; url: string; notice: string | undefined }
  /** The server returned a page instead: the form, or a sign-in form. */
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
        message: say('editorSaving.error', { status: String(request.status) }),
      });
    });
    const failed = () =>
      resolve({
        kind: 'unsent',
        message: navigator.onLine
          ? say('editorSaving.theWikiDoesNotRespondNothing')
          : say('editorSaving.youAreOfflineNothingIsLost'),
      });
    for (const kind of ['error', 'timeout', 'abort']) request.addEventListener(kind, failed);
    request.send(data);
  });
}

function pathOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname.startsWith('/edit/') || pathname === '/new' ? pathname : `saved${pathname}`;
}
