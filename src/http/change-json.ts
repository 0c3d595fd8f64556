/**
 * Changes as the interface shows them. A change that is stored whole is cut out of its text, as most of a long history is:
 * parsing it and writing it again would take several times as long as everything else.
 */
import type { Change, Content } from '#domain/page.ts';
import type { ChangeJson } from './schemas.ts';

/** JSON array of changes, as texts that follow each other. */
export function changesParts(changes: Change[]): string[] {
  const parts = ['['];
  for (const [i, change] of changes.entries()) parts.push(i === 0 ? '' : ',', ...partsOf(change));
  parts.push(']');
  return parts;
}

function partsOf(change: Change): string[] {
  const { id, at, stored } = change;
  const timestamp = new Date(at).toISOString();
  const editor = { id: change.editor.id, name: change.editor.name };
  if (stored === undefined) {
    const content = contentJson(change.content);
    return [JSON.stringify({ id, timestamp, msg: content.msg, content, editor } satisfies ChangeJson)];
  }
  // In the order of `contentText`. A quote within a string follows a backslash, so no string can contain any of these.
  const parentAt = stored.indexOf(',"parent":') + 10;
  const imageAt = stored.lastIndexOf(',"image":');
  const msgAt = stored.indexOf(',"msg":', imageAt);
  const filesAt = stored.indexOf(',"files":', msgAt);
  const msg = stored.slice(msgAt + 7, filesAt === -1 ? -1 : filesAt);
  const isRoot = stored.startsWith('null', parentAt);
  const hasImage = !stored.startsWith('null', imageAt + 9);
  return [
    `{"id":${id},"timestamp":"${timestamp}","msg":${msg},"content":${stored.slice(0, parentAt)}${isRoot ? '""' : ''}`,
    stored.slice(isRoot ? parentAt + 4 : parentAt, hasImage ? msgAt : imageAt),
    `${stored.slice(msgAt)},"editor":${JSON.stringify(editor)}}`,
  ];
}

export function contentJson(content: Content): ChangeJson['content'] {
  const { title, slug, path, parent, description, type, permissions, location } = content;
  const { body, format, data, image, msg, files } = content;
  return {
    ...{ title, slug, path, parent: parent ?? '', description, type, permissions, location },
    ...{ body, format, data },
    ...(image === null ? {} : { image }),
    msg,
    ...(files ? { files } : {}),
  };
}
