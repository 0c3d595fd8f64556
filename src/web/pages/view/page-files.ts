/** Files of a page, beneath its text. */
import type { AttachedFile } from '#core/model/page.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { fileKind, sizeWords } from '../../format.ts';
import { type Html, html } from '../../html.ts';

export function pageFiles(all: AttachedFile[]): Html {
  return html`<ul class="files">${all.map(
    (file) =>
      html`<li><a href="${fileUrl(file.name)}"${file.width === null && html` download`}>${
        pictureOf(file)
          ? html`<img src="${fileUrl(pictureOf(file))}" alt="" loading="lazy" decoding="async">`
          : html`<span class="file-kind" aria-hidden="true">${fileKind(file.filename)}</span>`
      }<span class="file-name" dir="auto">${file.filename}</span></a><span class="quiet"><bdi>${sizeWords(file.sizeBytes)}</bdi>${
        file.width !== null && html` · <bdi dir="ltr">${file.width} × ${file.height ?? 0}</bdi>`
      }</span></li>`,
  )}</ul>`;
}

/** The thumbnail, or the picture itself if it is a vector graphic. */
function pictureOf({ name, mime, thumbnail }: AttachedFile): string {
  return thumbnail ?? (mime === 'image/svg+xml' ? name : '');
}
